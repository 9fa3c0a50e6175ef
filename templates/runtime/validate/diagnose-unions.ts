import { isCustom } from "./fast-checks.js";
import { object } from "./diagnose.js";
import type { ValidationError } from "./decode-result.js";
import { render, viewOf, walk, type Look, type Mode } from "./diagnosis.js";

/** The variants of a union told apart by a tag, by the tag's value. */
export interface Variants {
  readonly [tag: string]: Look;
}

/** What becomes of objects whose tag is not listed. */
export interface Others {
  /** Any other string. */
  readonly open?: Look;
  /** Anything else, whatever the tag says. */
  readonly fallback?: Look;
  /** No tag, or null. */
  readonly absent?: Look;
  /** Whether a malformed tag may be dropped. */
  readonly lenient?: 1;
}

/** A union told apart by a tag, which has just been read. Errors are those of the variant that is meant. */
export function tagged(
  value: unknown,
  tag: unknown,
  variants: Variants,
  others: Others = {},
): void {
  const { view, key, repairs } = walk;
  if (!object(value)) return;
  const { open, fallback, absent, lenient } = others;
  /** Looks at a variant; when the value rather looks like another one, it is the tag that is wrong. */
  const lookAt = (variant: Look, second?: Look): void => {
    const errors = walk.attempt(variant, again(value));
    if (errors === undefined) return;
    if (second !== undefined && walk.attempt(second, again(value)) === undefined) return;
    const isOther = Object.values(variants).some((other) => suitsBetter(other, variant, value));
    if (!isOther) return resume(errors);
    walk.view = view;
    walk.key = key;
    refuse(tag, variants);
  };
  if (typeof tag === "string") {
    if (Object.hasOwn(variants, tag)) return lookAt(variants[tag]!, fallback);
    if (open !== undefined) return lookAtUnknown(tag, open, value);
    if (fallback !== undefined && walk.attempt(fallback, again(value)) === undefined) return;
    if (fallback === undefined && walk.mode === "keep")
      return walk.note("unknown", `${render(tag)} is not known`);
  } else {
    const none = absent ?? fallback;
    if ((tag === undefined || tag === null) && none !== undefined) return lookAt(none);
    if (absent !== undefined && lenient && repairs) {
      view.put(key, undefined);
      walk.note("default-on-error", "expected string");
      return absent(value);
    }
    if (fallback !== undefined) return lookAt(fallback);
  }
  walk.view = view;
  walk.key = key;
  refuse(tag, variants);
}

/** A tag that an open union does not list. */
function lookAtUnknown(tag: string, open: Look, value: unknown): void {
  const { view, key, failures } = walk;
  if (walk.mode === "send" && !isCustom(tag))
    return walk.reject("enum", 'a known value, or one that starts with "_"', tag);
  view.isOpen = true;
  open(value);
  if (walk.failures > failures) return;
  walk.view = view;
  walk.key = key;
  if (!isCustom(tag)) walk.note("unknown", `${render(tag)} is not known`);
}

function refuse(tag: unknown, variants: Variants): void {
  if (typeof tag !== "string") return walk.reject("type", "string", tag);
  walk.reject("enum", `one of ${Object.keys(variants).join(", ")}`, tag);
}

/** Whether a value fits another variant, and has fewer properties that are none of that variant's. */
function suitsBetter(other: Look, variant: Look, value: unknown): boolean {
  return (
    other !== variant &&
    explain(other, value, walk.mode) === undefined &&
    countStrange(other, value) < countStrange(variant, value)
  );
}

/** How many properties of a value a look does not ask for. */
function countStrange(look: Look, value: unknown): number {
  const view = viewOf(value)?.again();
  if (view === undefined) return 0;
  walk.attempt(look, view.proxy, true);
  // What asks for nothing takes anything.
  if (view.asked.size === 0 || view.isOpen || view.isReplaced) return 0;
  return Object.keys(view.source).filter((key) => !view.asked.has(key)).length;
}

/** Receivers take the first variant that fits; a sender means the one that knows most of what it sends. */
function closest(fitting: readonly Look[], value: unknown): Look {
  if (walk.mode !== "send") return fitting[0]!;
  const counts = fitting.map((look) => countStrange(look, value));
  return fitting[counts.indexOf(Math.min(...counts))]!;
}

/**
 * A union without a tag: the first variant that fits as it stands, else the
 * first that fits when repaired. When none does, the one that fails inside is
 * taken to be meant.
 *
 * @param exclusive whether a value must not fit two
 */
export function alternatives(value: unknown, exclusive: boolean, ...variants: Look[]): void {
  const { mode, repairs } = walk;
  let reports: (readonly ValidationError[])[] = [];
  for (const as of repairs ? ["strict" as const, mode] : [mode]) {
    reports = [];
    const fitting = variants.filter((variant) => {
      const errors = explain(variant, value, as);
      if (errors !== undefined) reports.push(errors);
      return errors === undefined;
    });
    if (exclusive && fitting.length > 1) return walk.reject("oneOf", "only one variant", value);
    if (fitting.length > 0) return closest(fitting, value)(again(value));
  }
  walk.locate(value);
  const here = walk.pointer();
  const inside = reports.filter(([first]) => first !== undefined && first.path !== here);
  const wrong = inside.filter(([first]) => first!.rule !== "required");
  const meant = wrong.length === 0 ? inside[0] : wrong.length === 1 ? wrong[0] : undefined;
  if (meant !== undefined) return resume(meant);
  const expected = new Set(reports.flatMap(([first]) => first?.expected ?? []));
  walk.reject("anyOf", [...expected].join(" or "), value);
}

/** Why a value does not fit a look; undefined when it does. Nothing of the attempt stays. */
function explain(look: Look, value: unknown, as: Mode): readonly ValidationError[] | undefined {
  const { mode } = walk;
  walk.mode = as;
  const errors = walk.attempt(look, again(value), true);
  walk.mode = mode;
  return errors;
}

/** Notes the errors of an attempt after all. */
function resume(errors: readonly ValidationError[]): void {
  walk.failures++;
  walk.errors.push(...errors);
}

/** A value to try another look on. */
function again(value: unknown): unknown {
  return viewOf(value)?.again().proxy ?? value;
}
