import { isRecord } from "../../rpc/messages.js";
import { REJECTED, type Convert, type Run } from "./run.js";
import type { FieldRule, FieldsRule, Fill, Rule } from "./table.js";

/** Returned for a property that is left out. */
const OMITTED: unique symbol = Symbol("omitted");

interface Place {
  readonly from: readonly string[];
  readonly to: string;
  readonly into: string | undefined;
  readonly isNeeded: boolean;
  readonly missing: number | undefined;
  readonly absent: unknown;
  readonly convert: Convert;
}

/** Makes the conversion of an object. Properties without a rule are kept. */
export function compileFields(
  { fields, nested = [], fill = [] }: FieldsRule,
  compile: (rule: Rule) => Convert,
): Convert {
  const places = [
    ...Object.entries(fields).map(([name, rule]) => placeOf([name], rule, compile)),
    ...nested.map((rule) => placeOf(rule.from, rule, compile)),
  ];
  const moved = new Set(places.filter(({ from }) => from.length === 1).map(({ from }) => from[0]!));
  return (value, run) => {
    if (!isRecord(value)) return value;
    let results: unknown[] | undefined;
    for (let index = 0; index < places.length; index++) {
      const { from, to, into, isNeeded, missing, absent, convert } = places[index]!;
      const given = valueAt(value, from);
      const own = given ?? (given === null ? null : absent);
      if (missing !== undefined && (own ?? false) === false) run.lose(missing);
      if (own === undefined) continue;
      run.path.push(...from);
      let converted = convert(own, run);
      run.path.length -= from.length;
      if (converted === REJECTED) {
        if (isNeeded) return REJECTED;
        converted = OMITTED;
      }
      // A default that says nothing is left to the receiver.
      if (given === undefined && isEmpty(converted)) continue;
      const isKept = converted === own && into === undefined && from.length === 1 && to === from[0];
      if (!isKept) (results ??= new Array<unknown>(places.length))[index] = converted;
    }
    if (results === undefined && !needsFill(value, fill)) return value;
    const result: Record<string, unknown> =
      results === undefined ? { ...value } : copy(value, moved, places, results);
    for (const one of fill) addFill(result, one, run);
    return result;
  };
}

function placeOf(
  from: readonly string[],
  { to, into, rule, drop, loss, unless, details, missing, absent, needed, ifNull }: FieldRule,
  compile: (rule: Rule) => Convert,
): Place {
  const inner: Convert = rule === undefined ? (value) => value : compile(rule);
  const nothing = unless === undefined ? undefined : JSON.stringify(unless);
  const convert: Convert = (value, run) => {
    if (drop) {
      if (isMeant(value) && JSON.stringify(value) !== nothing) run.lose(loss);
      if (hasDetails(value)) run.lose(details);
      return OMITTED;
    }
    if (value !== null || ifNull === undefined) return inner(value, run);
    run.lose(ifNull.loss);
    return "set" in ifNull ? structuredClone(ifNull.set) : OMITTED;
  };
  return {
    from,
    to: to ?? from.at(-1)!,
    into,
    isNeeded: needed === true,
    missing,
    absent,
    convert,
  };
}

/** Null, false, empty lists and objects of nothing else mean the same as their absence. */
function isMeant(value: unknown): boolean {
  if (value === null || value === false) return false;
  if (typeof value !== "object") return true;
  const members = Object.values(value);
  return members.length === 0 ? !Array.isArray(value) : members.some(isMeant);
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Checks for anything in a marker but markers. */
function hasDetails(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.values(value).some(
      (member) => member !== null && (!isRecord(member) || hasDetails(member)),
    )
  );
}

function valueAt(value: unknown, way: readonly string[]): unknown {
  let found = value;
  for (const name of way) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

/** Copies an object with the converted properties; undefined stands for one that is kept. */
function copy(
  value: Readonly<Record<string, unknown>>,
  moved: ReadonlySet<string>,
  places: readonly Place[],
  results: readonly unknown[],
): Record<string, unknown> {
  const kept = Object.entries(value).filter(([key]) => !moved.has(key));
  // Keys may be any, such as `__proto__`.
  const result = Object.fromEntries(kept);
  const set = (isInner: boolean): void =>
    places.forEach(({ from, into, to }, index) => {
      if ((into !== undefined) !== isInner) return;
      const isSame = into === undefined && from.length === 1 && to === from[0];
      const converted = results[index] ?? (isSame ? value[to] : undefined);
      if (converted !== OMITTED && converted !== undefined) place(result, to, into, converted);
    });
  set(false);
  // Properties of properties come last, since the object may itself be converted.
  set(true);
  return result;
}

function place(
  result: Record<string, unknown>,
  key: string,
  into: string | undefined,
  value: unknown,
): void {
  if (into === undefined) result[key] = value;
  else result[into] = { ...(isRecord(result[into]) ? result[into] : {}), [key]: value };
}

function needsFill(value: Readonly<Record<string, unknown>>, fill: readonly Fill[]): boolean {
  return fill.some(
    ({ key, into, always }) =>
      always === true || valueAt(value, into === undefined ? [key] : [into, key]) === undefined,
  );
}

function addFill(
  result: Record<string, unknown>,
  { key, into, set, loss, always }: Fill,
  run: Run,
): void {
  const isThere = valueAt(result, into === undefined ? [key] : [into, key]) !== undefined;
  if (isThere && always !== true) return;
  run.lose(loss);
  place(result, key, into, structuredClone(set));
}
