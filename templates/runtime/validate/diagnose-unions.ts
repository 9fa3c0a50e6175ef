import { isCustom } from "./fast-checks.js";
import { isValid, object } from "./diagnose.js";
import type { Issue } from "./decode-result.js";
import { trackedOf, current, type Diagnose, type Mode, type TrackedValue } from "./diagnosis.js";
import { render } from "./report-text.js";

/** The variants of a tagged union, by the value of the tag. */
export interface Variants {
  readonly [tag: string]: Diagnose;
}

/** The variants for objects whose tag is not listed. */
export interface OtherVariants {
  /** For other string tags. */
  readonly open?: Diagnose;
  /** For everything else, whatever the tag is. */
  readonly fallback?: Diagnose;
  /** For an absent tag, or null. */
  readonly absent?: Diagnose;
  /** Whether a malformed tag may be dropped. */
  readonly lenient?: 1;
}

/** Diagnoses a tagged union. Reports the errors of the variant that the tag selects. */
export function tagged(
  value: unknown,
  name: string,
  variants: Variants,
  others: OtherVariants = {},
): void {
  if (!object(value)) return;
  const tag = trackedOf(value)!.get(name);
  const { holder, key, repairs } = current.diagnosis;
  const { open, fallback, absent, lenient } = others;
  /** Diagnoses a variant. When the value fits another variant better, reports the tag as wrong. */
  const diagnoseVariant = (variant: Diagnose, second?: Diagnose): void => {
    // With two candidates, a trial decides, so that only one of them is run for its changes.
    const errors = second === undefined ? attempt(variant, value) : explain(variant, value);
    if (errors === undefined) return second === undefined ? undefined : void apply(variant, value);
    if (second !== undefined && attempt(second, value) === undefined) return;
    const isOther = Object.values(variants).some((other) => fitsBetter(other, variant, value));
    if (!isOther) return reportErrors(errors);
    current.diagnosis.holder = holder;
    current.diagnosis.key = key;
    refuse(tag, variants);
  };
  if (typeof tag === "string") {
    if (Object.hasOwn(variants, tag)) return diagnoseVariant(variants[tag]!, fallback);
    if (open !== undefined) return diagnoseUnknownTag(tag, open, value);
    if (fallback !== undefined && attempt(fallback, value) === undefined) return;
    if (fallback === undefined && current.diagnosis.keepsUnknown(trackedOf(value)!.source))
      return current.diagnosis.note("unknown", `${render(tag)} is not known`);
  } else {
    const none = absent ?? fallback;
    if ((tag === undefined || tag === null) && none !== undefined) return diagnoseVariant(none);
    if (absent !== undefined && lenient && repairs) {
      holder.change(key, undefined);
      current.diagnosis.note("default-on-error", "expected string");
      return absent(value);
    }
    if (fallback !== undefined) return diagnoseVariant(fallback);
  }
  current.diagnosis.holder = holder;
  current.diagnosis.key = key;
  refuse(tag, variants);
}

/** Diagnoses a value whose tag an open union does not list. */
function diagnoseUnknownTag(tag: string, open: Diagnose, value: unknown): void {
  const { holder, key, failures } = current.diagnosis;
  if (!isCustom(tag) && !current.diagnosis.allowsReserved(trackedOf(value)!.source))
    return current.diagnosis.reject("enum", 'a known value, or one that starts with "_"', tag);
  holder.isOpen = true;
  open(value);
  if (current.diagnosis.failures > failures) return;
  current.diagnosis.holder = holder;
  current.diagnosis.key = key;
  if (!isCustom(tag)) current.diagnosis.note("unknown", `${render(tag)} is not known`);
}

function refuse(tag: unknown, variants: Variants): void {
  if (typeof tag !== "string") return current.diagnosis.reject("type", "string", tag);
  current.diagnosis.reject("enum", `one of ${Object.keys(variants).join(", ")}`, tag);
}

/** Returns whether a value is valid for another variant and has fewer properties undeclared there. */
function fitsBetter(other: Diagnose, variant: Diagnose, value: unknown): boolean {
  return (
    other !== variant &&
    explain(other, value) === undefined &&
    countUndeclared(other, value) < countUndeclared(variant, value)
  );
}

/** Counts the properties of a value that a diagnose function does not declare. */
function countUndeclared(diagnose: Diagnose, value: unknown): number {
  const tracked = trackedOf(value)?.retry();
  if (tracked === undefined) return 0;
  tryOut(diagnose, tracked, current.diagnosis.mode);
  // A function that reads no properties accepts all of them.
  if (tracked.declared.length === 0 || tracked.isOpen || tracked.isSuperseded) return 0;
  return Object.keys(tracked.source).filter((key) => !tracked.declared.includes(key)).length;
}

/** Returns the first variant for receivers and in trials; for senders, the one that declares most of the value's properties. */
function closest(fitting: readonly Diagnose[], value: unknown): Diagnose {
  const { mode, isTrial } = current.diagnosis;
  if (mode !== "send" || isTrial || fitting.length === 1) return fitting[0]!;
  const counts = fitting.map((diagnose) => countUndeclared(diagnose, value));
  return fitting[counts.indexOf(Math.min(...counts))]!;
}

/**
 * Diagnoses a union without a tag: selects the first variant that accepts the value without
 * repairs, otherwise the first that accepts it with repairs. When all variants reject it, reports
 * the errors of the variant that fails at a deeper path, if there is only one.
 *
 * @param exclusive whether the value must not match two variants
 */
export function alternatives(value: unknown, exclusive: boolean, ...variants: Diagnose[]): void {
  const { mode, repairs } = current.diagnosis;
  let reports: (readonly Issue[])[] = [];
  for (const as of repairs ? ["strict" as const, mode] : [mode]) {
    reports = [];
    const fitting = variants.filter((variant) => {
      const errors = explain(variant, value, as);
      if (errors !== undefined) reports.push(errors);
      return errors === undefined;
    });
    if (exclusive && fitting.length > 1)
      return current.diagnosis.reject("oneOf", "only one variant", value);
    if (fitting.length === 0) continue;
    const chosen = closest(fitting, value);
    const { changes } = current.diagnosis;
    const tracked = apply(chosen, value);
    if (!exclusive || current.diagnosis.changes === changes) return;
    const built = tracked?.build();
    if (!variants.some((other) => other !== chosen && isValid(other, built))) return;
    // The changes make the value fit another variant, too. A valid value stays without its defaults.
    if (as === "strict") return void retry(value);
    return current.diagnosis.reject("oneOf", "only one variant", value);
  }
  current.diagnosis.locate(value);
  const path = current.diagnosis.pointer();
  const inside = reports.filter(([first]) => first !== undefined && first.pointer !== path);
  const wrong = inside.filter(([first]) => first!.rule !== "required");
  const meant = wrong.length === 0 ? inside[0] : wrong.length === 1 ? wrong[0] : undefined;
  if (meant !== undefined) return reportErrors(meant);
  const expected = new Set(reports.flatMap(([first]) => first?.expected ?? []));
  current.diagnosis.reject("anyOf", [...expected].join(" or "), value);
}

/**
 * Returns the errors of a diagnose function; undefined when there are none. Each path is tried
 * once with each function, so that recursive unions take linear time.
 */
function explain(
  diagnose: Diagnose,
  value: unknown,
  mode: Mode = current.diagnosis.mode,
): readonly Issue[] | undefined {
  const tracked = trackedOf(value);
  if (tracked === undefined) return tryOut(diagnose, value, mode);
  const next = tracked.retry();
  const results = tracked.trials.in(mode);
  if (!results.has(diagnose)) results.set(diagnose, tryOut(diagnose, next, mode));
  return results.get(diagnose);
}

/** Runs a diagnose function, discards its reports and changes, and returns the errors. */
function tryOut(diagnose: Diagnose, value: unknown, as: Mode): readonly Issue[] | undefined {
  const { diagnosis } = current;
  const { mode, isTrial } = diagnosis;
  diagnosis.mode = as;
  diagnosis.isTrial = true;
  const errors = diagnosis.attempt(diagnose, value, true);
  diagnosis.mode = mode;
  diagnosis.isTrial = isTrial;
  return errors;
}

/** Runs a diagnose function for its changes, unless only its errors matter. */
function attempt(diagnose: Diagnose, value: unknown): readonly Issue[] | undefined {
  const { diagnosis } = current;
  return diagnosis.isTrial ? explain(diagnose, value) : diagnosis.attempt(diagnose, retry(value));
}

/** Runs the diagnose function that a trial selected. Returns the object with its changes. */
function apply(diagnose: Diagnose, value: unknown): TrackedValue | undefined {
  if (current.diagnosis.isTrial) return undefined;
  const tracked = trackedOf(value)?.retry();
  diagnose(tracked ?? value);
  return tracked;
}

/** Adds the errors of an attempt to the report. */
function reportErrors(errors: readonly Issue[]): void {
  const { diagnosis } = current;
  diagnosis.failures++;
  diagnosis.issues.push(...errors.slice(0, diagnosis.maxIssues - diagnosis.issues.length));
}

/** Returns a value for the same path, to try another diagnose function. */
function retry(value: unknown): unknown {
  return trackedOf(value)?.retry() ?? value;
}
