import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSiteTexts } from "../../../../generators/run/bundles/site-inputs.js";
import { loadTemplates } from "../../../../generators/run/inputs/load-templates.js";
import type { RuleBook } from "../../../../generators/schema/source/rule-source.js";
import { ruleBook } from "../../../../templates/site/rules/rule-book.js";
import { RULES } from "acp-bindings/conformance";
import { ROOT } from "../../../support/paths.js";

describe("the rule book", () => {
  let rules: RuleBook["rules"];
  beforeAll(async () => {
    const texts = await loadSiteTexts(join(ROOT, "schema"), true, [], loadTemplates());
    rules = texts.rules.rules;
  });

  test("is the same bundled from the templates and imported", () => {
    expect(rules).toEqual(ruleBook().rules);
  });

  test("has every rule with all parts of a page", () => {
    expect(rules.map(({ id }) => id).sort()).toEqual(RULES.map(({ id }) => id).sort());
    for (const { id, title, rationale, level, source, versions, examples } of rules) {
      const rule = RULES.find((one) => one.id === id)!;
      expect({ level, source, versions }).toEqual({
        level: rule.level,
        source: rule.source,
        versions: rule.versions,
      });
      for (const text of [title, rationale, source]) expect(text.length).toBeGreaterThan(15);
      for (const { valid, invalid, line } of examples) {
        expect(valid.length).toBeGreaterThan(1);
        expect(invalid[line - 1]).toBeDefined();
      }
    }
  });

  test("has an example of every rule in every version that it holds for", () => {
    const missing = rules.flatMap(({ id, versions, examples }) =>
      versions
        .filter((version) => !examples.some((example) => example.version === version))
        .map((version) => `${id} ${version}`),
    );
    // Version 2 says of every place whether it needs a capability.
    expect(missing).toEqual(["implied-place-gate 2"]);
  });
});
