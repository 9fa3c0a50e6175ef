import * as v1 from "acp-bindings/v1/schemas";
import * as v1Full from "acp-bindings/v1-full/schemas";
import * as v2 from "acp-bindings/v2/schemas";
import * as v2Full from "acp-bindings/v2-full/schemas";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  SessionStateV1,
  SessionStateV2,
} from "../../templates/typescript/runtime/session/index.js";
import { IS_DEEP } from "../support/deep.js";
import { goStateTable } from "../../generators/emit/go/state-table.js";
import { loadProtocols } from "../generators/model/parts/profiles.js";
import { ROOT } from "../support/paths.js";
import { randomEvents } from "../templates/typescript/session/random-events.js";
import { CREATE } from "../templates/typescript/session/states.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { goTest } from "./go-test.js";
import { run, runGo, writeOverlay } from "./toolchain.js";

const SEEDS = IS_DEEP ? 400 : 12;
const COUNT = 300;
const SCHEMAS = { v1, "v1-full": v1Full, v2, "v2-full": v2Full };
const TABLES = Object.fromEntries(
  loadProtocols().map((protocol) => [protocol.profile, goStateTable(protocol)]),
);
const folder = temporaryFolder();

type State = SessionStateV1 | SessionStateV2;
type Fields = { readonly [name: string]: unknown };
interface Updates {
  readonly timeline: readonly Fields[];
  readonly others: readonly Fields[];
}

goTest(
  "Go and TypeScript fold random updates into the same states",
  () => {
    const runs = (["v1", "v1-full", "v2", "v2-full"] as const).flatMap((profile) =>
      Array.from({ length: SEEDS }, (_, seed) => fold(profile, String(seed))),
    );
    const input = runs.map(({ version, table, events }) => {
      const plain = (_: string, value: unknown): unknown =>
        value instanceof Map ? (Object.fromEntries(value) as unknown) : value;
      return `${JSON.stringify({ version, table, events }, plain)}\n`;
    });
    const { code, err } = run(buildStates(), ["-test.run=TestStates"], { input: input.join("") });
    expect(code).toBe(0);
    err
      .trim()
      .split("\n")
      .forEach((line, index) => {
        const states = JSON.parse(line) as { readonly [session: string]: Updates };
        const actual = Object.entries(states).map(([name, state]) => [name, comparable(state)]);
        expect(Object.fromEntries(actual), `run ${index}`).toEqual(runs[index]!.expected);
      });
  },
  300_000,
);

/** Builds a program that folds events as the runtime does, which exports nothing of it. */
function buildStates(): string {
  const text = readFileSync(join(ROOT, "test/go/states_test.go.txt"), "utf8");
  const overlay = writeOverlay(folder, { "internal/role/states_test.go": text });
  const program = join(folder, "states");
  const args = ["test", "-c", "-overlay", overlay, "-o", program, "./internal/role"];
  expect(runGo(args).err).toBe("");
  return program;
}

/** Folds random events in TypeScript. */
function fold(profile: keyof typeof SCHEMAS, seed: string) {
  const { SessionUpdate, ContentBlock } = SCHEMAS[profile];
  const version = profile.startsWith("v1") ? 1 : 2;
  const states = new Map<string, State>();
  const events: Fields[] = [];
  for (const { sessionId: session, event } of randomEvents(version, seed, COUNT)) {
    const state = states.get(session);
    if (event.type === "update" || event.type === "odd") {
      const decoded = SessionUpdate.decode(event.update);
      if (!decoded.ok) continue;
      const changed = state ?? CREATE[profile]();
      states.set(session, changed.apply(decoded.value as never));
      events.push({ session, update: decoded.value });
    } else if (state instanceof SessionStateV1) {
      if (event.type === "end") state.endTurn();
      else if (event.content.every((block) => ContentBlock.decode(block).ok))
        state.addUserMessage(event.content as never);
      else continue;
      events.push({ session, ...(event.type === "prompt" && { prompt: event.content }) });
    }
  }
  const expected = [...states].map(([name, state]) => [name, comparable(updatesOf(state))]);
  const table = TABLES[profile];
  return { version, table, events, expected: Object.fromEntries(expected) as unknown };
}

/** Returns the updates that report a state as a whole, as Go has them. */
function updatesOf(state: State): Updates {
  const timeline = state.timeline.map((entry) => {
    switch (entry.type) {
      case "message":
        return whole(entry.message.kind, { ...entry.message, kind: undefined });
      case "tool_call":
        return whole("tool_call_update", entry.toolCall);
      case "compaction":
        return whole("compaction_update", entry.compaction);
      case "session_message":
        return whole("session_message", entry.sessionMessage);
      default:
        return entry satisfies never;
    }
  });
  const { commands, config, usage, suggestions, plans, subagents, cursors, info } = state;
  const [plan, mode] = state instanceof SessionStateV1 ? [state.plan, state.mode] : [];
  const [work, terminals] = state instanceof SessionStateV2 ? [state.state, state.terminals] : [];
  const others = [
    ...[commands, config, usage, suggestions, plan, mode, work, ...plans.values()].filter(
      (one) => one,
    ),
    whole("session_info_update", info),
    ...[...subagents.values()].map((one) => whole("subagent_update", one)),
    ...[...cursors.values()].map((one) => whole("cursor_update", one)),
    ...[...(terminals?.values() ?? [])].map(({ output, ...terminal }) =>
      whole("terminal_update", { ...terminal, ...(output && { output: joined(output) }) }),
    ),
  ];
  return { timeline, others: others as Fields[] };
}

function whole(sessionUpdate: string, fields: object): Fields {
  return { ...fields, sessionUpdate, revision: undefined };
}

function joined({ chunks, ...output }: { readonly chunks: readonly string[] }): Fields {
  const data = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, "base64")));
  return { ...output, data: data.toString("base64") };
}

/** Leaves out empty lists, annotations that are null, and the order of what is not in the timeline. */
function comparable({ timeline, others }: Updates): unknown {
  const text = (all: readonly Fields[]): string =>
    JSON.stringify(all, (name, value: unknown) =>
      name === "annotations" && value === null ? undefined : value,
    );
  const plain = (all: readonly Fields[]): Fields[] =>
    (JSON.parse(text(all)) as Fields[]).map(({ locations, ...fields }) => ({
      ...fields,
      ...((locations as unknown[] | undefined)?.length && { locations }),
    }));
  const keyed = plain(others).map((one) => {
    const { planId } = (one["plan"] ?? {}) as Fields;
    const { sessionUpdate, terminalId, cursorId = planId, sessionId = cursorId } = one;
    return [JSON.stringify([sessionUpdate, terminalId ?? sessionId]), one] as const;
  });
  const reported = keyed.filter(([, one]) => Object.keys(one).length > 1);
  return { timeline: plain(timeline), others: Object.fromEntries(reported) };
}
