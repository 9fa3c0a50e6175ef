import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lint } from "../../../../generators/schema/lint/lint.js";
import { LINT_RULES } from "../../../../generators/schema/lint/rules.js";
import { loadLintExceptions } from "../../../../generators/schema/source/load-lint.js";
import { ROOT } from "../../../support/paths.js";
import { sources } from "../canonical.js";
import { LINT_CASES } from "./lint-cases.js";
import { notificationOf, protocolOf } from "../sources.js";

const only = (id: string) => LINT_RULES.filter((rule) => rule.id === id);

describe("each rule", () => {
  const cases = Object.entries(LINT_CASES);

  test.each(cases)("finds %s, at its place", (_, { finds, broken }) => {
    const [rule, pointer, subject, file = "schema/v9/base/things.json"] = finds;
    const found = lint([broken], undefined, only(rule));
    expect(found).toContainEqual(expect.objectContaining({ rule, file, pointer, subject }));
    for (const { message, hint } of found) {
      expect(message).not.toMatch(/undefined|\.$/);
      expect(hint).toMatch(/[.?]$/);
    }
  });

  test.each(cases)("accepts correct input: not %s", (_, { finds: [rule], sound }) => {
    expect(lint([sound], undefined, only(rule))).toEqual([]);
  });

  test("has a case and a unique id", () => {
    const ids = LINT_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(cases.map(([, { finds }]) => finds[0]))].sort()).toEqual(ids.sort());
  });
});

test("an unused capability is compared with those that gates name", () => {
  const v1 = sources.protocols.get("v1")!;
  const feature = v1.features.get("session_fork")!;
  const [method, ...others] = feature.methods;
  const gate = { agent: "agentCapabilities.forks" };
  const wrong = { ...feature, methods: [{ ...method!, gate }, ...others] };
  const features = new Map(v1.features).set("session_fork", wrong);
  const [found] = lint([{ ...v1, features }], undefined, only("unknown-capability"));
  expect(found!.hint).toBe('Did you mean "agentCapabilities.sessionCapabilities.fork"?');
});

describe("lint", () => {
  const wordy = protocolOf({ Note: { type: "object", "x-meta": true } }, [
    notificationOf("addNote", "agent", "Note"),
  ]);
  const rules = ["undocumented", "method-name"];
  const chosen = LINT_RULES.filter(({ id }) => rules.includes(id));
  const accept = (...exceptions: readonly { rule: string; subject: string }[]) =>
    lint(
      [wordy],
      {
        file: "x.json",
        exceptions: exceptions.map((one) => ({ ...one, reason: "Published so." })),
      },
      chosen,
    ).map(({ rule, file, pointer }) => `${rule} ${file}#${pointer}`);
  const named = { rule: "method-name", subject: "addNote" };
  const UNDOCUMENTED = "undocumented schema/v9/base/things.json#/$defs/Note";

  test("leaves out the findings that an exception names", () => {
    expect(accept(named)).toEqual([UNDOCUMENTED]);
    expect(accept(named, { rule: "undocumented", subject: "Note" })).toEqual([]);
  });

  test("finds unused exceptions, and those of unknown rules", () => {
    const unneeded = [
      { rule: "method-name", subject: "add_note" },
      { rule: "methods", subject: "addNote" },
    ];
    expect(accept(named, ...unneeded)).toEqual([
      UNDOCUMENTED,
      "unused-exception x.json#/exceptions/1",
      "unused-exception x.json#/exceptions/2",
    ]);
  });

  test("ignores exceptions of rules that were not selected", () => {
    expect(accept(named, { rule: "value-name", subject: "x" })).toEqual([UNDOCUMENTED]);
  });

  test("reports a finding in shared modules once, and one finding per place and rule", () => {
    expect(lint([wordy, wordy], undefined, chosen)).toHaveLength(2);
    const module = wordy.modules[0]!;
    const other = { ...wordy, modules: [{ ...module, file: "schema/v9/base/others.json" }] };
    expect(lint([wordy, other], undefined, chosen)).toHaveLength(4);
    const silent = protocolOf({ Note: { description: "Its meaning.", $ref: "#/$defs/None" } }, []);
    expect(lint([silent]).map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ["unused-definition", "/$defs/Note"],
      ["does-not-compose", "/$defs/Note/$ref"],
    ]);
    const looping = protocolOf({ Note: { description: "A loop.", $ref: "#/$defs/Note" } }, []);
    expect(lint([looping]).map(({ rule }) => rule)).toEqual(["unused-definition"]);
  });
});

describe("the schema of this repository", () => {
  test("follows every rule, except for the listed exceptions", () => {
    const exceptions = loadLintExceptions(join(ROOT, "schema"));
    expect(exceptions!.exceptions.length).toBeGreaterThan(0);
    expect(lint(sources.protocols.values(), exceptions)).toEqual([]);
  });
});
