import type { CheckNode, TaggedNode, UnionNode } from "./check.js";
import type { Issue } from "./decode-result.js";
import { trackedOf, type Diagnosis, type DiagnosisMode, type TrackedValue } from "./diagnosis.js";
import { isCustom } from "./fast-checks.js";
import { render } from "./report-text.js";

/** Diagnoses a tagged union. Reports the errors of the variant that the tag selects. */
export function diagnoseTagged(
  diagnosis: Diagnosis,
  [, name, variants, others = []]: TaggedNode,
  value: TrackedValue,
): void {
  const tag = value.get(name);
  const { holder, key } = diagnosis;
  const [open, fallback, absent, isLenient] = others;
  const moveToTag = (): void => diagnosis.moveTo(holder, key);
  const refuse = (): void => {
    moveToTag();
    if (typeof tag !== "string") return diagnosis.reject("type", "string", tag);
    diagnosis.reject("enum", `one of ${Object.keys(variants).join(", ")}`, tag);
  };
  /** Diagnoses a variant. When the value fits another variant better, reports the tag as wrong. */
  const diagnoseVariant = (variant: CheckNode, second?: CheckNode | null): void => {
    // With two candidates, a trial decides, so that only one of them is diagnosed for its changes.
    const errors =
      second == null ? attempt(diagnosis, variant, value) : explain(diagnosis, variant, value);
    if (errors === undefined)
      return second == null ? undefined : void apply(diagnosis, variant, value);
    if (second != null && attempt(diagnosis, second, value) === undefined) return;
    const isOther = Object.values(variants).some((other) =>
      fitsBetter(diagnosis, other, variant, value),
    );
    if (isOther) refuse();
    else report(diagnosis, errors);
  };
  if (typeof tag === "string") {
    if (Object.hasOwn(variants, tag)) return diagnoseVariant(variants[tag]!, fallback);
    if (open != null) return diagnoseUnknownTag(diagnosis, tag, open, value, moveToTag);
    if (fallback != null && attempt(diagnosis, fallback, value) === undefined) {
      moveToTag();
      return diagnosis.passTag(Object.keys(variants));
    }
    if (fallback == null && diagnosis.keepsUnknown(value.source))
      return diagnosis.note("unknown", `${render(tag)} is not known`);
    return refuse();
  }
  const none = absent ?? fallback;
  if (tag == null && none != null) return diagnoseVariant(none);
  if (absent != null && isLenient && diagnosis.repairs) {
    holder.change(key, undefined);
    diagnosis.note("default-on-error", "expected string");
    return diagnosis.diagnose(absent, value);
  }
  if (fallback != null) return diagnoseVariant(fallback);
  refuse();
}

/**
 * Diagnoses a value whose tag an open union does not list.
 *
 * @param moveToTag makes the tag the place of the next report
 */
function diagnoseUnknownTag(
  diagnosis: Diagnosis,
  tag: string,
  open: CheckNode,
  value: TrackedValue,
  moveToTag: () => void,
): void {
  const { holder, failures } = diagnosis;
  if (!isCustom(tag) && !diagnosis.allowsReserved(value.source))
    return diagnosis.reject("enum", 'a known value, or a name that begins with "_"', tag);
  holder.isOpen = true;
  diagnosis.diagnose(open, value);
  if (diagnosis.failures > failures) return;
  moveToTag();
  if (!isCustom(tag)) diagnosis.note("unknown", `${render(tag)} is not known`);
}

/** Returns whether a value is valid for another variant and has fewer properties undeclared there. */
function fitsBetter(
  diagnosis: Diagnosis,
  other: CheckNode,
  variant: CheckNode,
  value: unknown,
): boolean {
  return (
    other !== variant &&
    explain(diagnosis, other, value) === undefined &&
    countUndeclared(diagnosis, other, value) < countUndeclared(diagnosis, variant, value)
  );
}

/** Counts the properties of a value that a node does not declare. */
function countUndeclared(diagnosis: Diagnosis, node: CheckNode, value: unknown): number {
  const tracked = trackedOf(value)?.retry();
  if (tracked === undefined) return 0;
  tryOut(diagnosis, node, tracked, diagnosis.mode);
  // A node that reads no properties accepts all of them.
  if (tracked.declared.length === 0 || tracked.isOpen || tracked.isSuperseded) return 0;
  return Object.keys(tracked.source).filter((key) => !tracked.declared.includes(key)).length;
}

/** Returns the first alternative for receivers and in trials; for senders, the one that declares most of the value's properties. */
function closest(diagnosis: Diagnosis, fitting: readonly CheckNode[], value: unknown): CheckNode {
  const { mode, isTrial } = diagnosis;
  if (mode !== "send" || isTrial || fitting.length === 1) return fitting[0]!;
  const counts = fitting.map((node) => countUndeclared(diagnosis, node, value));
  return fitting[counts.indexOf(Math.min(...counts))]!;
}

/**
 * Diagnoses a union without a tag: selects the first alternative that accepts the value without
 * repairs, otherwise the first that accepts it with repairs. When all reject it, reports the
 * errors of the alternative that fails at a deeper path, if there is only one.
 */
export function diagnoseUnion(
  diagnosis: Diagnosis,
  [, isExclusive, alternatives]: UnionNode,
  value: unknown,
): void {
  const { mode, repairs } = diagnosis;
  let reports: (readonly Issue[])[] = [];
  for (const as of repairs ? ["strict" as const, mode] : [mode]) {
    reports = [];
    const fitting = alternatives.filter((node) => {
      const errors = explain(diagnosis, node, value, as);
      if (errors !== undefined) reports.push(errors);
      return errors === undefined;
    });
    if (isExclusive && fitting.length > 1)
      return diagnosis.reject("oneOf", "only one variant", value);
    if (fitting.length === 0) continue;
    const chosen = closest(diagnosis, fitting, value);
    const { changes } = diagnosis;
    const tracked = apply(diagnosis, chosen, value);
    if (!isExclusive || diagnosis.changes === changes) return;
    const built = tracked?.build();
    if (!alternatives.some((other) => other !== chosen && diagnosis.isValid(other, built))) return;
    // The changes make the value fit another alternative, too. A valid value stays without its defaults.
    if (as === "strict") return void retry(value);
    return diagnosis.reject("oneOf", "only one variant", value);
  }
  reportAlternatives(diagnosis, reports, value);
}

function reportAlternatives(
  diagnosis: Diagnosis,
  reports: readonly (readonly Issue[])[],
  value: unknown,
): void {
  diagnosis.locate(value);
  const path = diagnosis.pointer();
  const inside = reports.filter(([first]) => first !== undefined && first.pointer !== path);
  const wrong = inside.filter(([first]) => first!.rule !== "required");
  const meant = wrong.length === 0 ? inside[0] : wrong.length === 1 ? wrong[0] : undefined;
  if (meant !== undefined) return report(diagnosis, meant);
  const expected = new Set(reports.flatMap(([first]) => first?.expected ?? []));
  diagnosis.reject("anyOf", [...expected].join(" or "), value);
}

/**
 * Returns the errors of a value; undefined when there are none. Each path is tried once with each
 * node, so that recursive unions take linear time.
 */
function explain(
  diagnosis: Diagnosis,
  node: CheckNode,
  value: unknown,
  mode: DiagnosisMode = diagnosis.mode,
): readonly Issue[] | undefined {
  const tracked = trackedOf(value);
  if (tracked === undefined) return tryOut(diagnosis, node, value, mode);
  const next = tracked.retry();
  const results = tracked.trials.in(mode);
  if (!results.has(node)) results.set(node, tryOut(diagnosis, node, next, mode));
  return results.get(node);
}

/** Diagnoses a value, discards the reports and changes, and returns the errors. */
function tryOut(
  diagnosis: Diagnosis,
  node: CheckNode,
  value: unknown,
  as: DiagnosisMode,
): readonly Issue[] | undefined {
  const { mode, isTrial } = diagnosis;
  diagnosis.mode = as;
  diagnosis.isTrial = true;
  const errors = diagnosis.attempt(node, value, true);
  diagnosis.mode = mode;
  diagnosis.isTrial = isTrial;
  return errors;
}

/** Diagnoses a value for its changes, unless only its errors matter. */
function attempt(
  diagnosis: Diagnosis,
  node: CheckNode,
  value: unknown,
): readonly Issue[] | undefined {
  if (diagnosis.isTrial) return explain(diagnosis, node, value);
  return diagnosis.attempt(node, retry(value));
}

/** Diagnoses a value with the node that a trial selected. Returns the object with its changes. */
function apply(diagnosis: Diagnosis, node: CheckNode, value: unknown): TrackedValue | undefined {
  if (diagnosis.isTrial) return undefined;
  const tracked = trackedOf(value)?.retry();
  diagnosis.diagnose(node, tracked ?? value);
  return tracked;
}

/** Adds the errors of an attempt to the report. */
function report(diagnosis: Diagnosis, errors: readonly Issue[]): void {
  diagnosis.failures++;
  diagnosis.issues.push(...errors.slice(0, diagnosis.maxIssues - diagnosis.issues.length));
}

/** Returns a value for the same path, to try another node. */
function retry(value: unknown): unknown {
  return trackedOf(value)?.retry() ?? value;
}
