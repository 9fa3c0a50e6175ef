import { RULES, type Level } from "../runtime/conformance/index.js";
import { CORRECTIONS, type Correction } from "./corrections.js";
import type { Example, RuleDoc } from "./rule-doc.js";
import { RULE_AREAS } from "./rules/index.js";

/** Everything that a page about one rule needs. */
export interface RuleData extends Omit<RuleDoc, "rule" | "features" | "examples"> {
  readonly id: string;
  /** What it is about: a heading of the page. */
  readonly area: string;
  readonly source: string;
  readonly level: Level;
  readonly versions: readonly (1 | 2)[];
  readonly features: readonly string[];
  readonly examples: readonly ExampleData[];
}

/** An example, and the version of the protocol that its valid conversation agrees on. */
export interface ExampleData extends Example {
  readonly version: number;
}

export interface DocsData {
  /** In the order of a page about them. */
  readonly rules: readonly RuleData[];
  readonly corrections: readonly Correction[];
}

/**
 * The rules and the corrections as data.
 *
 * @throws Error for texts about a rule that is not in the table
 */
export function docsData(): DocsData {
  const rules = RULE_AREAS.flatMap(({ title: area, rules: docs }) =>
    docs.map(({ rule: id, title, rationale, features = [], examples: all }) => {
      const rule = RULES.find((one) => one.id === id);
      if (rule === undefined) throw new Error(`there are texts about ${id}, which is no rule`);
      const { level, versions, source } = rule;
      const examples = all.map((example) => ({ version: versionOf(example), ...example }));
      return { id, area, title, rationale, level, versions, features, source, examples };
    }),
  );
  return { rules, corrections: CORRECTIONS };
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

/** JSON with one message a line, so that conversations can be read and differences seen. */
export function printDocsData(data: DocsData): string {
  return `${print(data, "")}\n`;
}

function print(value: unknown, indent: string): string {
  const isMessage = typeof value === "object" && value !== null && "message" in value;
  if (typeof value !== "object" || value === null || isMessage) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((item) => print(item, inner))]
    : [
        "{",
        "}",
        Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${print(part, inner)}`),
      ];
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
