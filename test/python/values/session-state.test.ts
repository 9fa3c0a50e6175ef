import * as v1 from "acp-bindings/v1/schemas";
import * as v1Full from "acp-bindings/v1-full/schemas";
import * as v2 from "acp-bindings/v2/schemas";
import * as v2Full from "acp-bindings/v2-full/schemas";
import { expect } from "vitest";
import { SessionStateV1 } from "../../../templates/typescript/runtime/session/index.js";
import { randomEvents } from "../../templates/typescript/session/random-events.js";
import { snapshot } from "../../templates/typescript/session/snapshot.js";
import { CREATE, type createV1, type createV2 } from "../../templates/typescript/session/states.js";
import { IS_DEEP } from "../../support/deep.js";
import { pythonTest, runPython } from "../run-python.js";

const SEEDS = IS_DEEP ? 400 : 12;
const COUNT = 300;

interface Applied {
  readonly session: string;
  readonly update?: unknown;
  readonly prompt?: readonly unknown[];
}

type State = ReturnType<typeof createV1 | typeof createV2>;

const SCHEMAS = { v1, "v1-full": v1Full, v2, "v2-full": v2Full };

pythonTest.each(["v1", "v1-full", "v2", "v2-full"] as const)(
  "Python and TypeScript fold random updates into the same states: %s",
  (profile) => {
    const { SessionUpdate, ContentBlock } = SCHEMAS[profile];
    const version = profile.startsWith("v1") ? 1 : 2;
    const runs = Array.from({ length: SEEDS }, (_, seed) => {
      const states = new Map<string, State>();
      const events: Applied[] = [];
      for (const { sessionId: session, event } of randomEvents(version, String(seed), COUNT)) {
        const state = states.get(session);
        if (event.type === "update" || event.type === "odd") {
          const decoded = SessionUpdate.decode(event.update);
          if (!decoded.ok) continue;
          const changed = state ?? CREATE[profile]();
          states.set(session, changed);
          changed.apply(decoded.value as never);
          events.push({ session, update: event.update });
        } else if (state instanceof SessionStateV1) {
          if (event.type === "end") state.endTurn();
          else if (event.content.every((block) => ContentBlock.decode(block).ok))
            state.addUserMessage(event.content as never);
          else continue;
          events.push({ session, ...(event.type === "prompt" && { prompt: event.content }) });
        }
      }
      return { events, expected: plain(states) };
    });
    const input = runs.map(({ events }) => JSON.stringify({ profile, events })).join("\n");
    const { out, err } = runPython(["test/python/programs/session_state.py"], `${input}\n`);
    expect(err).toBe("");
    const applied = runs.reduce((sum, { events }) => sum + events.length, 0);
    expect(applied).toBeGreaterThan((SEEDS * COUNT) / 3);
    out
      .trim()
      .split("\n")
      .forEach((line, seed) =>
        expect(JSON.parse(line), `seed ${seed}`).toEqual(runs[seed]!.expected),
      );
  },
  600_000,
);

function plain(states: ReadonlyMap<string, State>): unknown {
  const entries = [...states].map(([name, state]) => [
    name,
    { ...snapshot(state), revision: state.revision },
  ]);
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}
