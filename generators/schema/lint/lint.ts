import { jsonPointer } from "../problem.js";
import type { ProtocolSource } from "../source/sources.js";
import type { LintException, LintExceptions } from "./exceptions.js";
import type { LintRule, Objection, Severity } from "./rule.js";
import { LINT_RULES, UNUSED_EXCEPTION } from "./rules.js";
import { layOut } from "./source-index.js";

/** What a rule has found. */
export interface LintFinding extends Objection {
  readonly rule: string;
  readonly severity: Severity;
}

/**
 * Holds protocol versions, with all of their features, against the rules.
 *
 * @param exceptions what stays as it is; one that nothing needs is a finding
 * @param rules the rules to go by; all when absent
 * @returns the findings by file, in the order of the rules; what versions share is told once
 */
export function lint(
  protocols: Iterable<ProtocolSource>,
  exceptions?: LintExceptions,
  rules: readonly LintRule[] = LINT_RULES,
): LintFinding[] {
  const listed = exceptions?.exceptions ?? [];
  const unused = new Set(listed);
  const places = new Map<string, LintFinding[]>();
  for (const protocol of protocols) {
    const stated = layOut(protocol);
    for (const rule of rules)
      for (const objection of rule.check(stated)) {
        const exception = listed.find(covers(rule, objection));
        if (exception === undefined) note(places, rule, objection);
        else unused.delete(exception);
      }
  }
  const findings = [...places.values()].flat();
  if (exceptions !== undefined) findings.push(...unneeded(exceptions, unused, rules));
  return findings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

/** Of two rules about one place, the first one is told; what two versions share, once. */
function note(places: Map<string, LintFinding[]>, rule: LintRule, objection: Objection): void {
  const place = `${objection.file}#${objection.pointer}`;
  const present = places.get(place) ?? [];
  const isTold = present.some(
    (other) => other.rule !== rule.id || other.message === objection.message,
  );
  if (isTold) return;
  const { id, severity } = rule;
  places.set(place, [...present, { rule: id, severity, ...objection }]);
}

function covers({ id }: LintRule, { subject }: Objection): (exception: LintException) => boolean {
  return (exception) => exception.rule === id && exception.subject === subject;
}

/** Exceptions of rules that were asked and needed none; those of no rule at all as well. */
function unneeded(
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
        message: `${rule} does not object to ${subject}`,
        hint: "Remove the exception.",
      },
    ];
  });
}
