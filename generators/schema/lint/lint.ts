import { jsonPointer } from "../problem.js";
import type { ProtocolSource } from "../source/sources.js";
import type { LintException, LintExceptions } from "../source/lint-exceptions.js";
import type { LintRule, Diagnostic, Severity } from "./rule.js";
import { LINT_RULES, UNUSED_EXCEPTION } from "./rules.js";
import { indexSources, type SourceIndex } from "./source-index.js";

/** A diagnostic with the rule that reported it. */
export interface LintFinding extends Diagnostic {
  readonly rule: string;
  readonly severity: Severity;
}

/**
 * Checks protocol versions, with all of their features, against the rules.
 *
 * @param exceptions accepted violations; one that no rule reports is a finding
 * @param rules the rules to check; all by default
 * @param isSound whether all documents follow the dialect; a rule that fails on others reports nothing
 * @returns the findings by file, in the order of the rules; what versions share is reported once
 */
export function lint(
  protocols: Iterable<ProtocolSource>,
  exceptions?: LintExceptions,
  rules: readonly LintRule[] = LINT_RULES,
  isSound = true,
): LintFinding[] {
  const listed = exceptions?.exceptions ?? [];
  const unused = new Set(listed);
  const places = new Map<string, LintFinding[]>();
  for (const protocol of protocols) {
    const index = indexSources(protocol);
    for (const rule of rules)
      for (const diagnostic of isSound ? rule.check(index) : diagnosticsOf(rule, index)) {
        const exception = listed.find(covers(rule, diagnostic));
        if (exception === undefined) addFinding(places, rule, diagnostic);
        else unused.delete(exception);
      }
  }
  const findings = [...places.values()].flat();
  if (exceptions !== undefined) findings.push(...unusedExceptions(exceptions, unused, rules));
  return findings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

function diagnosticsOf(rule: LintRule, index: SourceIndex): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  try {
    for (const diagnostic of rule.check(index)) found.push(diagnostic);
  } catch {
    // Parts are absent that the dialect requires.
  }
  return found;
}

/** Adds a finding unless an earlier rule reported the same place, or another version the same finding. */
function addFinding(
  places: Map<string, LintFinding[]>,
  rule: LintRule,
  diagnostic: Diagnostic,
): void {
  const place = `${diagnostic.file}#${diagnostic.pointer}`;
  const present = places.get(place) ?? [];
  const isReported = present.some(
    (other) => other.rule !== rule.id || other.message === diagnostic.message,
  );
  if (isReported) return;
  const { id, severity } = rule;
  places.set(place, [...present, { rule: id, severity, ...diagnostic }]);
}

function covers({ id }: LintRule, { subject }: Diagnostic): (exception: LintException) => boolean {
  return (exception) => exception.rule === id && exception.subject === subject;
}

/** Reports exceptions of the checked rules, or of unknown rules, that cover no diagnostic. */
function unusedExceptions(
  { file, exceptions }: LintExceptions,
  unused: ReadonlySet<LintException>,
  rules: readonly LintRule[],
): LintFinding[] {
  const asked = (id: string): boolean =>
    rules.some((rule) => rule.id === id) || !LINT_RULES.some((rule) => rule.id === id);
  return exceptions.flatMap((exception, index): LintFinding[] => {
    const { rule, subject } = exception;
    if (!unused.has(exception) || !asked(rule)) return [];
    const { id, severity } = UNUSED_EXCEPTION;
    return [
      {
        rule: id,
        severity,
        file,
        pointer: jsonPointer(["exceptions", index]),
        subject,
        message: `${rule} does not report ${subject}`,
        hint: "Remove the exception.",
      },
    ];
  });
}
