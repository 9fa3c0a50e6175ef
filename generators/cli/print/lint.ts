import type { LintFinding } from "../../schema/lint/lint.js";
import { LINT_RULES, UNUSED_EXCEPTION } from "../../schema/lint/rules.js";
import { formatProblem } from "../../schema/problem.js";
import { annotationOf, type Annotation } from "../annotations.js";
import { colors as pc } from "../colors.js";
import type { Linted } from "../../run/lint/lint.js";
import { count } from "./format.js";

/** Prints the findings for people, one on each line, and their number. */
export function printLinted({ findings, files, rules }: Linted): string {
  const rows = findings.map((finding) => {
    const paint = finding.severity === "error" ? pc.red : pc.yellow;
    return `${paint(finding.severity)} ${pc.bold(finding.rule)}: ${formatProblem(finding)}`;
  });
  const scope = `${count(files, "file")}, ${count(rules, "rule")}`;
  if (rows.length === 0) return `${pc.green("clean")}: ${scope}`;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  return [...rows, `${count(errors, "error")}, ${count(warnings, "warning")} in ${scope}`].join(
    "\n",
  );
}

/** Returns the findings as annotations of files. */
export function lintAnnotations(findings: readonly LintFinding[]): Annotation[] {
  return findings.map((finding) => ({
    ...annotationOf(finding),
    level: finding.severity,
    title: finding.rule,
  }));
}

const RULES = [...LINT_RULES, UNUSED_EXCEPTION].map(({ id, severity, finds, why }) => {
  return { id, severity, finds, why };
});

/** Prints the rules with what they find and why. */
export function printRules(asJson: boolean): string {
  if (asJson) return JSON.stringify(RULES, null, 2);
  return RULES.map(({ id, severity, finds, why }) => {
    return `${pc.bold(id)} (${severity}): ${finds}\n  ${pc.dim(why)}`;
  }).join("\n");
}
