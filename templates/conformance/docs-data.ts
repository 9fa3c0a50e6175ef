import { RULES, type Level } from "../runtime/conformance/index.js";
import { CORRECTIONS, type Correction } from "./corrections.js";
import type { RuleDoc } from "./rule-doc.js";
import { RULE_DOCS } from "./rules/index.js";

/** Everything that a page about one rule needs. */
export interface RuleData extends Omit<RuleDoc, "rule"> {
  readonly id: string;
  readonly source: string;
  readonly level: Level;
  readonly versions: readonly (1 | 2)[];
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
  const rules = RULE_DOCS.map(({ rule: id, title, rationale, examples }) => {
    const rule = RULES.find((one) => one.id === id);
    if (rule === undefined) throw new Error(`there are texts about ${id}, which is no rule`);
    const { level, versions, source } = rule;
    return { id, title, rationale, level, versions, source, examples };
  });
  return { rules, corrections: CORRECTIONS };
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
