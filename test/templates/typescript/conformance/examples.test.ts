import { METHODS as METHODS_V1, PROTOCOL } from "acp-bindings/v1-full";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";
import { describe, expect, test } from "vitest";
import { RULE_DOCS } from "../../../../templates/site/rules/areas/index.js";
import { GATES } from "../../../../templates/site/rules/areas/gates.js";
import { carried } from "../../../use/samples/carried.js";
import { loadBindings, type Profile } from "../../../use/samples/profiles.js";
import { checkConformance, RULES, type TranscriptEntry } from "acp-bindings/conformance";
import type { MethodDescriptor } from "acp-bindings";
const methods = { 1: METHODS_V1, 2: METHODS_V2 };
const names: readonly string[] = [...METHODS_V1, ...METHODS_V2].map(({ name }) => name);
const features: readonly string[] = PROTOCOL.features;

/** The examples of what the schema has: a release may not have all of it yet. */
const EXAMPLES = RULE_DOCS.filter(({ methods: needed = [] }) =>
  needed.every((name) => names.includes(name)),
).flatMap(({ rule, features: needed = [], examples }) =>
  examples
    .map((example, index) => ({ rule, name: `${rule} ${index + 1}`, ...example }))
    .filter(({ feature }) =>
      [...needed, ...(feature === undefined ? [] : [feature])].every((one) =>
        features.includes(one),
      ),
    ),
);

/** The value that a pointer leads to. */
function pointed(message: unknown, path = ""): unknown {
  let value = message;
  for (const name of path.split("/").slice(1))
    value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}

describe.each(EXAMPLES)("$name", ({ rule, valid, invalid, line, also = [] }) => {
  const { level: own, levelInVersion2 } = RULES.find(({ id }) => id === rule)!;
  const isVersion2 = valid.some(({ message }) => pointed(message, "/result/protocolVersion") === 2);
  const level = (isVersion2 ? levelInVersion2 : undefined) ?? own;
  const notes = level === "note";

  test("accepts the valid conversation, alone and with the table of methods", () => {
    expect(checkConformance(valid, { notes })).toEqual([]);
    expect(checkConformance(valid, { methods, notes })).toEqual([]);
  });

  test("reports the line that breaks it, and no other rule is broken", () => {
    const violations = checkConformance(invalid, { methods, notes });
    expect(violations.map((violation) => violation.rule)).toEqual([...also, rule]);
    const violation = violations.at(-1)!;
    expect(violation).toMatchObject({ level, line });
    expect(violation.message).not.toBe("");
    expect(pointed(invalid[line - 1]!.message, violation.path)).toBeDefined();
    // Without the table everything is the same, but for what only the table tells.
    const isOfTable = GATES.some((doc) => doc.rule === rule);
    expect(checkConformance(invalid, { notes })).toEqual(isOfTable ? [] : violations);
  });

  test("has a valid conversation whose messages fit the schema", async () => {
    expect(await findMisfits(valid as TranscriptEntry[])).toEqual([]);
  });
});

describe("the texts", () => {
  test("exist once for every rule, with a title and a reason", () => {
    const ids = RULE_DOCS.map(({ rule }) => rule);
    expect([...ids].sort()).toEqual(RULES.map(({ id }) => id).sort());
    for (const { title, rationale, examples } of RULE_DOCS) {
      expect(title).toMatch(/^[A-Z$].{15,95}[^.]$/);
      expect(rationale).toMatch(/^[A-Z$`].{30,}\.$/);
      expect(rationale.split(/\. /).length).toBeLessThan(3);
      expect(examples.length).toBeGreaterThan(0);
    }
    expect(new Set(RULE_DOCS.map(({ title }) => title)).size).toBe(ids.length);
  });
});

/** Everything that is sent in a conversation and does not fit the schema of its version. */
async function findMisfits(transcript: readonly TranscriptEntry[]): Promise<string[]> {
  const isSecond = transcript.some(
    ({ message }) =>
      (message as { result?: { protocolVersion?: unknown } }).result?.protocolVersion === 2,
  );
  const profile: Profile = isSecond ? "v2-full" : "v1-full";
  const { schemaOf } = await loadBindings(profile);
  const { METHODS } = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as {
    METHODS: readonly MethodDescriptor[];
  };
  return carried(transcript, METHODS).flatMap(({ definition, value, index }) => {
    const [issue] = schemaOf(definition).issues(value);
    return issue === undefined ? [] : [`${index + 1}: ${definition} ${JSON.stringify(issue)}`];
  });
}
