import { isRecord } from "../../rpc/messages.js";
import { REJECTED, type Convert, type Run } from "./run.js";
import type { FieldRule, FieldsRule, Fill, NestedRule, ConversionRule } from "./table.js";

/** Returned for a property that is left out. */
const OMITTED: unique symbol = Symbol("omitted");

interface Place {
  readonly from: string;
  /** The property of the property, where it is one. */
  readonly inner: string | undefined;
  readonly to: string;
  readonly into: string | undefined;
  readonly isNeeded: boolean;
  /** Whether the value stays where it is. */
  readonly isKeeping: boolean;
  readonly missing: number | undefined;
  readonly absent: unknown;
  readonly convert: Convert;
  /** Returns the value without the properties that have places of their own. */
  readonly rest: (value: unknown) => unknown;
}

/** Makes the conversion of an object. Properties without a rule are kept. */
export function compileFields(
  { fields, nested = [], fill = [] }: FieldsRule,
  compile: (rule: ConversionRule) => Convert,
): Convert {
  const places = [
    ...Object.entries(fields).map(([name, rule]) => placeOf([name], rule, compile, nested)),
    ...nested.map((rule) => placeOf(rule.from, rule, compile, [])),
  ];
  const moved = new Set(places.flatMap(({ inner, from }) => (inner === undefined ? [from] : [])));
  return (value, run) => {
    if (!isRecord(value)) return value;
    let results: unknown[] | undefined;
    for (let index = 0; index < places.length; index++) {
      const place = places[index]!;
      const { from, inner, missing, absent, isKeeping } = place;
      const outer = value[from];
      const given = inner === undefined ? place.rest(outer) : innerOf(outer, inner);
      const own = given === undefined ? absent : given;
      if (missing !== undefined && (own ?? false) === false) run.lose(missing);
      if (own === undefined) continue;
      run.path.push(from);
      if (inner !== undefined) run.path.push(inner);
      let converted = place.convert(own, run);
      run.path.pop();
      if (inner !== undefined) run.path.pop();
      if (converted === REJECTED) {
        if (place.isNeeded) return REJECTED;
        converted = OMITTED;
      }
      // A default that says nothing is left to the receiver.
      if (given === undefined && isEmpty(converted)) continue;
      if (converted !== own || !isKeeping)
        (results ??= new Array<unknown>(places.length))[index] = converted;
    }
    if (results === undefined && !needsFill(value, fill)) return value;
    const result = results === undefined ? { ...value } : copy(value, moved, places, results);
    for (const one of fill) addFill(result, one, run);
    return result;
  };
}

function placeOf(
  from: readonly string[],
  { to, into, rule, drop, loss, unless, details, missing, absent, needed, ifNull }: FieldRule,
  compile: (rule: ConversionRule) => Convert,
  nested: readonly NestedRule[],
): Place {
  const change: Convert = rule === undefined ? (value) => value : compile(rule);
  const nothing = unless === undefined ? undefined : JSON.stringify(unless);
  const convert: Convert = (value, run) => {
    if (drop) {
      if (isMeant(value) && JSON.stringify(value) !== nothing) run.lose(loss);
      if (hasDetails(value)) run.lose(details);
      return OMITTED;
    }
    if (value !== null || ifNull === undefined) return change(value, run);
    run.lose(ifNull.loss);
    return "set" in ifNull ? structuredClone(ifNull.set) : OMITTED;
  };
  const [outer, inner] = from;
  const inners = nested.flatMap((one) => (one.from[0] === outer ? [one.from[1]] : []));
  return {
    from: outer!,
    inner,
    rest: inners.length === 0 ? (value) => value : (value) => without(value, inners),
    to: to ?? inner ?? outer!,
    into,
    isNeeded: needed === true,
    isKeeping: into === undefined && inner === undefined && (to ?? outer) === outer,
    missing,
    absent,
    convert,
  };
}

function innerOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function without(value: unknown, names: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
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
  if (value === null || typeof value === "boolean") return false;
  return !isRecord(value) || Object.values(value).some(isDetail);
}

function isDetail(value: unknown): boolean {
  return value !== null && (!isRecord(value) || Object.values(value).some(isDetail));
}

/** Copies an object with the converted properties; undefined stands for one that is kept. */
function copy(
  value: Readonly<Record<string, unknown>>,
  moved: ReadonlySet<string>,
  places: readonly Place[],
  results: readonly unknown[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (moved.has(key)) continue;
    if (key === "__proto__") define(result, key, value[key]);
    else result[key] = value[key];
  }
  // Properties of properties come last, since the object may itself be converted.
  for (const isInner of [false, true])
    for (let index = 0; index < places.length; index++) {
      const { from, into, to, isKeeping } = places[index]!;
      if ((into !== undefined) !== isInner) continue;
      const converted = results[index] ?? (isKeeping ? value[from] : undefined);
      if (converted !== OMITTED && converted !== undefined) place(result, to, into, converted);
    }
  return result;
}

function define(result: object, key: string, value: unknown): void {
  Object.defineProperty(result, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
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
  return fill.some((one) => one.always === true || filled(value, one) === undefined);
}

function filled(value: Readonly<Record<string, unknown>>, { key, into }: Fill): unknown {
  if (into === undefined) return value[key];
  const object = value[into];
  return isRecord(object) ? object[key] : undefined;
}

function addFill(result: Record<string, unknown>, fill: Fill, run: Run): void {
  const { key, into, set, loss, always } = fill;
  if (always !== true && filled(result, fill) !== undefined) return;
  run.lose(loss);
  place(result, key, into, structuredClone(set));
}
