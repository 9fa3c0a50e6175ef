import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { CORRECTIONS } from "../../../templates/conformance/corrections.js";
import {
  docsData,
  printDocsData,
  type DocsData,
} from "../../../templates/conformance/docs-data.js";
import { RULES } from "../../../templates/runtime/conformance/index.js";
import { ROOT } from "../../paths.js";

const file = join(ROOT, "templates/conformance/rules.json");

describe("the data for the documentation", () => {
  test("is up to date; mend it with npm run generate", () => {
    expect(readFileSync(file, "utf8")).toBe(printDocsData(docsData()));
  });

  test("has every rule with all that a page needs, and every correction", () => {
    const { rules, corrections } = JSON.parse(readFileSync(file, "utf8")) as DocsData;
    expect(rules.map(({ id }) => id).sort()).toEqual(RULES.map(({ id }) => id).sort());
    for (const { id, title, rationale, level, source, versions, examples } of rules) {
      const rule = RULES.find((one) => one.id === id)!;
      expect({ level, source, versions }).toEqual({
        level: rule.level,
        source: rule.source,
        versions: rule.versions,
      });
      for (const text of [title, rationale]) expect(text.length).toBeGreaterThan(15);
      for (const { valid, invalid, line } of examples) {
        expect(valid.length).toBeGreaterThan(1);
        expect(invalid[line - 1]).toBeDefined();
      }
    }
    expect(corrections).toEqual(CORRECTIONS);
  });

  test("has an example of every rule in every version that it holds for", () => {
    const missing = docsData().rules.flatMap(({ id, versions, examples }) =>
      versions
        .filter((version) => !examples.some((example) => example.version === version))
        .map((version) => `${id} ${version}`),
    );
    // Version 2 says of every place whether it needs a capability.
    expect(missing).toEqual(["implied-place-gate 2"]);
  });

  test("has one message a line", () => {
    const messages = docsData().rules.flatMap(({ examples }) =>
      examples.flatMap(({ valid, invalid }) => [...valid, ...invalid]),
    );
    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines.filter((line) => /^ +\{"from":/.test(line))).toHaveLength(messages.length);
  });
});

describe("a correction", () => {
  test.each(CORRECTIONS)("$statement", ({ statement, instead, source, shown }) => {
    for (const text of [statement, instead]) expect(text).toMatch(/^[A-Z`].{10,}\.$/s);
    expect(source).not.toBe("");
    if ("rule" in shown) {
      expect(RULES.map(({ id }) => id)).toContain(shown.rule);
      return;
    }
    const { profile, definition, property, lacks } = shown;
    const text = readFileSync(join(ROOT, `out/schema/${profile}.schema.json`), "utf8");
    const { properties } = (JSON.parse(text) as JsonSchema).$defs![definition]!;
    expect(property ?? lacks).toBeDefined();
    if (property !== undefined) expect(properties).toHaveProperty(property);
    if (lacks !== undefined) expect(properties).not.toHaveProperty(lacks);
  });

  test("is listed once", () => {
    expect(new Set(CORRECTIONS.map(({ statement }) => statement)).size).toBe(CORRECTIONS.length);
  });
});
