import { RULES, type Level } from "../../typescript/runtime/conformance/index.js";
import type { Example, RuleDoc } from "./rule-doc.js";
import { RULE_AREAS } from "./areas/index.js";

/** One rule with its facts, texts and examples. */
export interface RuleData extends Omit<RuleDoc, "rule" | "features" | "methods" | "examples"> {
  readonly id: string;
  /** A heading of the page of rules. */
  readonly area: string;
  readonly source: string;
  readonly level: Level;
  readonly levelInVersion2?: Level;
  readonly versions: readonly (1 | 2)[];
  readonly features: readonly string[];
  readonly methods: readonly string[];
  readonly examples: readonly ExampleData[];
}

/** An example, and the version of the protocol that its valid conversation agrees on. */
export interface ExampleData extends Example {
  readonly version: number;
}

/** The rules of the conformance checker as the site shows them. */
export interface CheckedRuleBook {
  /** In the order of a page about them. */
  readonly rules: readonly RuleData[];
}

/**
 * Joins the table of rules with the texts about them.
 *
 * @throws Error for texts about a rule that is not in the table
 */
export function ruleBook(): CheckedRuleBook {
  const rules = RULE_AREAS.flatMap(({ title: area, rules: docs }) =>
    docs.map(({ rule: id, title, rationale, features = [], methods = [], examples: all }) => {
      const rule = RULES.find((one) => one.id === id);
      if (rule === undefined)
        throw new Error(`the texts of the rule ${id} belong to no rule of the table`);
      const { level, levelInVersion2, versions, source } = rule;
      const levels = { level, ...(levelInVersion2 !== undefined && { levelInVersion2 }) };
      const examples = all.map((example) => ({ version: versionOf(example), ...example }));
      const needs = { features, methods };
      return { id, area, title, rationale, ...levels, versions, ...needs, source, examples };
    }),
  );
  return { rules };
}

/** The version of a conversation is the one that the agent answers `initialize` with. */
function versionOf({ valid }: Example): number {
  const answers = valid.map(
    ({ message }) =>
      (message as { readonly result?: { readonly protocolVersion?: unknown } }).result
        ?.protocolVersion,
  );
  const version = answers.findLast((answer) => typeof answer === "number");
  if (version === undefined) throw new Error("an example does not agree on a version");
  return version;
}
