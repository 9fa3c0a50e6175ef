import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { loadTemplates } from "../../../generators/run/inputs/load-templates.js";
import { resolveInputs } from "../../../generators/run/inputs/select-profiles.js";
import { Conversations } from "../../../generators/tools/inspect/conversations.js";
import type { Captured, Recorded } from "../../../generators/tools/inspect/inspector-api.js";
import { loadInspector } from "../../../generators/tools/inspect/load-inspector.js";
import { positionsOf, positionsOfVersions } from "../../../generators/tools/inspect/positions.js";
import { Redactor, type Positions } from "../../../generators/tools/inspect/redact.js";
import type { FieldNode, TableNode } from "../../../generators/model/check-table.js";
import { SCHEMA } from "../../../generators/run/installation.js";
import { loadProcessModule } from "../../../generators/tools/processes/process-module.js";
import { openRecording } from "../../../generators/tools/record/recording.js";

import { RULE_AREAS } from "../../../templates/site/rules/areas/index.js";
import { IS_DEEP } from "../../support/deep.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand, withoutProgress } from "../cli/run-command.js";
import { ROOT } from "../../support/paths.js";

const folder = temporaryFolder();
type Json = Readonly<Record<string, unknown>>;

/** In every text and name that nothing but its author has chosen. */
const SECRET = "qzjv";
/** In every such number. */
const NUMBER = 47_114;

/** Returns the first marks in a text, with what is before them. */
function marksIn(text: string): readonly string[] {
  return [...text.matchAll(/qzjv|47114/gi)]
    .slice(0, 5)
    .map(({ index }) => text.slice(Math.max(0, index - 200), index + 10));
}

/** The definitions whose values are ids or versions: a new one must be looked at by a person. */
const IDS =
  `AuthMethodId CompactionId CursorId ElicitationId McpRequestId McpServerAcpId MessageId NesSuggestionId
  PermissionOptionId PlanId ProtocolVersion ProviderId RequestId SessionConfigGroupId SessionConfigId
  SessionConfigValueId SessionId SessionModeId TerminalId ToolCallId`.split(/\s+/);

/** What no schema describes, with the names that a message has elsewhere. */
const FREE: Json = {
  ...{ id: SECRET, type: SECRET, kind: SECRET, status: SECRET, method: SECRET, role: SECRET },
  ...{ sessionId: SECRET, toolCallId: SECRET, pin: NUMBER, [`/home/${SECRET}`]: [SECRET, NUMBER] },
  ...{ [`${SECRET}`]: { outcome: SECRET, requestId: NUMBER, priority: SECRET } },
};

/** The same without names that may be declared as ids. */
const { id: _id, sessionId: _session, toolCallId: _toolCall, ...UNLISTED } = FREE;

/** Makes values of nodes whose free places all have a mark. */
class Marked {
  /** What must stay readable. */
  readonly kept = new Set<string>();
  readonly #table: Positions["table"];

  constructor({ table }: Positions) {
    this.#table = table;
  }

  /** Returns a value for each alternative that a node has, in any depth. */
  values(node: TableNode, depth = 0): readonly unknown[] {
    if (typeof node === "string") {
      if (!IDS.includes(node)) return this.values(this.#table[node]!, depth);
      if (node === "ProtocolVersion") return [1];
      this.kept.add(`stays-${node}`);
      return [`stays-${node}`];
    }
    switch (node[0]) {
      case "any":
        return [FREE];
      case "null":
        return [null];
      case "never":
        return [];
      case "boolean":
        return [true];
      case "string":
        return [`/${SECRET} ${SECRET}`];
      case "integer":
      case "number":
        return [NUMBER];
      case "enum":
        for (const value of node[2]) this.kept.add(String(value));
        return [...node[2], ...(node[3] ? [node[1] === "string" ? SECRET : NUMBER] : [])];
      case "nullable":
        return this.values(node[1], depth);
      case "list":
        return [this.values(node[1], depth + 1)];
      case "map":
        return this.values(node[1], depth + 1).map((value, index) => ({
          [`${SECRET}${index}`]: value,
          ...{ id: value, type: value },
        }));
      case "object":
        return this.#objects(node[1], depth);
      case "union":
        // An alternative of any form must not look like a declared one.
        return node[2].flatMap((one) =>
          this.#with(one[0] === "any" ? [UNLISTED] : this.values(one, depth), node[3], depth),
        );
      case "tagged": {
        const [, tag, variants, others, shared] = node;
        const listed = Object.entries(variants).flatMap(([value, body]) => {
          this.kept.add(value);
          return this.values(body, depth).map((one) => ({ ...(one as Json), [tag]: value }));
        });
        const bodies = others.slice(0, 3) as readonly (TableNode | null)[];
        const unlisted = bodies.flatMap((body) =>
          body === null
            ? []
            : this.values(body, depth).map((one) => ({ ...UNLISTED, ...(one as Json) })),
        );
        const unknown = [
          { ...UNLISTED, [tag]: `_${SECRET}` },
          { ...UNLISTED, [tag]: SECRET },
        ];
        return this.#with([...listed, ...unlisted, ...unknown], shared, depth);
      }
      default:
        return node satisfies never;
    }
  }

  #with(
    values: readonly unknown[],
    shared: readonly FieldNode[],
    depth: number,
  ): readonly unknown[] {
    const fields = shared.length === 0 ? [{}] : this.#objects(shared, depth);
    return Array.from({ length: Math.max(values.length, fields.length) }, (_, index) => {
      const value = values[index % values.length];
      return value === Object(value) && !Array.isArray(value)
        ? { ...fields[index % fields.length], ...(value as Json) }
        : value;
    });
  }

  /** Returns an object with all properties, for each alternative of the property that has most. */
  #objects(fields: readonly FieldNode[], depth: number): readonly Json[] {
    const free = { [`${SECRET}Name`]: SECRET, [`_${SECRET}`]: FREE };
    if (depth > 6) return [{}];
    const members = fields
      .map(
        ([name, node]) =>
          [name, name === "jsonrpc" ? ["2.0"] : this.values(node, depth + 1)] as const,
      )
      .filter(([, values]) => values.length > 0);
    const most = Math.max(1, ...members.map(([, values]) => values.length));
    return Array.from({ length: most }, (_, index) => ({
      ...Object.fromEntries(members.map(([name, values]) => [name, values[index % values.length]])),
      ...free,
    }));
  }
}

/** Makes messages of every method, result and error, and what is not one. */
function* linesOf(
  positions: Positions,
  marked: Marked,
): Generator<Recorded & { readonly text?: string }> {
  const { version, methods } = positions;
  const call = { jsonrpc: "2.0", [SECRET]: SECRET };
  let id = 0;
  const ask = function* (
    from: "agent" | "client",
    name: string,
    params: unknown,
    answers: readonly Json[],
  ) {
    const to = from === "agent" ? "client" : "agent";
    for (const answer of answers) {
      id += 1;
      yield { from, message: { ...call, id: `stays-${id}`, method: name, params } } as const;
      yield { from: to, message: { ...call, id: `stays-${id}`, ...answer } } as const;
    }
  };
  yield* ask("client", "initialize", { protocolVersion: version }, [
    { result: { protocolVersion: version } },
  ]);
  const errors = marked.values("Error").map((error) => ({ error }));
  for (const { name, kind, side, params, result } of methods) {
    if (name.endsWith("initialize")) continue;
    const from = side === "client" ? "agent" : "client";
    const sent = marked.values(params) as readonly Json[];
    if (kind === "notification" || result === undefined)
      for (const one of sent) yield { from, message: { ...call, method: name, params: one } };
    else {
      const results = (marked.values(result) as readonly Json[]).map((one) => ({ result: one }));
      for (const one of sent) yield* ask(from, name, one, results.slice(0, 1));
      yield* ask(from, name, sent[0], [
        ...results,
        ...errors,
        { result: UNLISTED },
        { result: SECRET },
      ]);
    }
  }
  for (const name of [`_${SECRET}/token`, `${SECRET}/login`, `$/${SECRET}`])
    for (const from of ["agent", "client"] as const) {
      yield* ask(from, name, FREE, [{ result: FREE }, { result: NUMBER }, ...errors]);
      yield { from, message: { ...call, method: name, params: [FREE, SECRET] } };
      yield { from, message: [{ ...call, id: `stays-${id}`, method: name, params: FREE }, SECRET] };
    }
  yield { from: "agent", message: { ...call, id: SECRET.length, result: FREE } };
  yield {
    from: "agent",
    message: { ...FREE, jsonrpc: SECRET, id: FREE, method: NUMBER, error: SECRET },
  };
  yield { from: "agent", message: undefined, text: `{"jsonrpc": ${SECRET}` };
  yield { from: "client", message: undefined, text: `${SECRET} ${NUMBER}` };
}

/** The full profiles have all that the others have. */
const PROFILES = IS_DEEP ? ["v1", "v1-unstable", "v2", "v2-unstable"] : [];

describe.each(["v1-full", "v2-full", ...PROFILES])("in %s", (profile) => {
  const [input] = resolveInputs({ profiles: [profile] }, SCHEMA);
  const positions = positionsOf(input!);
  const marked = new Marked(positions);
  const lines = [...linesOf(positions, marked)];
  const file = join(folder, `${profile}.ndjson`);
  const kept = [...marked.kept];

  beforeAll(() => {
    const stderr = { from: "agent", kind: "stderr", text: `${SECRET} ${NUMBER}` };
    const signal = { from: "client", kind: "signal", signal: SECRET };
    writeFileSync(
      file,
      [...lines, stderr, signal].map((one) => `${JSON.stringify(one)}\n`).join(""),
    );
  });

  test("a page and reports have no free text, name or number, but tags, listed values and ids", async () => {
    const page = join(folder, `${profile}.html`);
    const args = ["inspect", file, "--profile", profile, "--max-findings", "1000000"];
    const { out, err } = await runCommand([...args, "--redact", "--all", "--html", page]);
    const json = await runCommand([...args, "--redact", "--json"]);
    const html = readFileSync(page, "utf8");
    expect(withoutProgress(err + json.err)).toBe("");
    for (const text of [out, json.out, html]) expect(marksIn(text)).toEqual([]);
    expect(kept.filter((word) => !html.includes(JSON.stringify(word).slice(1, -1)))).toEqual([]);
    expect(lines.length).toBeGreaterThan(300);
  });

  test("so has a recording", async () => {
    const path = join(folder, `${profile}-masked.ndjson`);
    const recording = openRecording(path, await loadProcessModule(), {
      command: [`/home/${SECRET}/agent`, SECRET],
      redactor: new Redactor(positionsOfVersions()),
      onFailure: (error) => expect.unreachable(error.message),
    });
    for (const { from, message, text = JSON.stringify(message) } of lines)
      recording.bytes(from === "agent" ? "output" : "input", Buffer.from(`${text}\n`));
    recording.bytes("errors", Buffer.from(`${SECRET} ${NUMBER}\n`));
    await recording.close();
    const text = readFileSync(path, "utf8");
    expect(marksIn(text)).toEqual([]);
    expect(kept.filter((word) => !text.includes(JSON.stringify(word).slice(1, -1)))).toEqual([]);
  });
});

describe("findings", () => {
  /** Inspects conversations, each by itself. Returns `line rule level` of every finding. */
  async function findingsOf(
    conversations: readonly (readonly Recorded[])[],
    redact: boolean,
  ): Promise<readonly (readonly string[])[]> {
    const templates = loadTemplates();
    let found: string[] = [];
    const all = new Conversations(
      await loadInspector(templates),
      {},
      templates,
      ({ line, findings }) => {
        for (const { rule, level, path } of findings)
          found.push(`${line} ${level} ${rule} ${path}`);
      },
      redact,
    );
    const results: (readonly string[])[] = [];
    for (const conversation of conversations) {
      found = [];
      await all.take(
        conversation.map((recorded, index): Captured => ({ number: index + 1, size: 1, recorded })),
      );
      await all.end();
      results.push(found);
    }
    return results;
  }

  const read = (file: string): readonly Recorded[] =>
    readFileSync(join(ROOT, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Recorded)
      .filter(({ message }) => message !== undefined);
  const conversations = [
    read("templates/site/demo.ndjson"),
    ...RULE_AREAS.flatMap(({ rules }) =>
      rules.flatMap(({ examples }) => examples.flatMap(({ valid, invalid }) => [valid, invalid])),
    ),
  ];

  test("are the same when everything else is masked", async () => {
    const plain = await findingsOf(conversations, false);
    expect(plain.flat().length).toBeGreaterThan(100);
    expect(await findingsOf(conversations, true)).toEqual(plain);
  });

  test("are not invented about a recording that is masked, and only those about masked values are lost", async () => {
    const profiles = positionsOfVersions();
    const plain = await findingsOf(conversations, false);
    const masked = await findingsOf(
      conversations.map((conversation) => {
        const redactor = new Redactor(profiles);
        return conversation.map((one) => ({ ...one, message: redactor.message(one) }));
      }),
      false,
    );
    const without = (those: readonly string[], others: readonly string[]): readonly string[] =>
      those.filter((one) => !others.includes(one));
    const invented = masked.flatMap((found, at) => without(found, plain[at]!));
    const lost = plain.flatMap((found, at) => without(found, masked[at]!));
    expect(invented).toEqual([]);
    // Their values are masked: a folder, texts, numbers, and what a proxy passes on.
    expect([...new Set(lost.map((one) => one.split(" ")[2]))]).toEqual([
      ...["listed-folder", "next-page", "usage-within-size"],
      ...["prompt-echo", "elicitation-content", "nes-context-count", "proxy-keeps-version"],
    ]);
  });
});
