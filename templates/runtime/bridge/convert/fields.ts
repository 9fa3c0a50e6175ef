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
      const { from, to, into, isNeeded, convert } = places[index]!;
      const own = valueAt(value, from);
      if (own === undefined) continue;
      run.path.push(...from);
      let converted = convert(own, run);
      run.path.length -= from.length;
      if (converted === REJECTED) {
        if (isNeeded) return REJECTED;
        converted = OMITTED;
      }
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
  { to, into, rule, drop, loss, needed, ifNull }: FieldRule,
  compile: (rule: Rule) => Convert,
): Place {
  const inner: Convert = rule === undefined ? (value) => value : compile(rule);
  const convert: Convert = (value, run) => {
    if (drop) {
      if (saysSomething(value)) run.lose(loss);
      return OMITTED;
    }
    if (value !== null || ifNull === undefined) return inner(value, run);
    run.lose(ifNull.loss);
    return "set" in ifNull ? structuredClone(ifNull.set) : OMITTED;
  };
  return { from, to: to ?? from.at(-1)!, into, isNeeded: needed === true, convert };
}

/** Null, false and lists and objects of nothing else mean the same as their absence. */
function saysSomething(value: unknown): boolean {
  if (value === null || value === false) return false;
  return typeof value !== "object" || Object.values(value).some(saysSomething);
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
  const result: Record<string, unknown> = {};
  const set = (index: number, converted: unknown): void => {
    const { to, into } = places[index]!;
    if (converted === OMITTED || converted === undefined) return;
    if (into === undefined) result[to] = converted;
    else result[into] = { ...(isRecord(result[into]) ? result[into] : {}), [to]: converted };
  };
  for (const [key, own] of Object.entries(value))
    if (!moved.has(key))
      Object.defineProperty(result, key, {
        value: own,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  places.forEach(({ from, into, to }, index) => {
    const isSame = into === undefined && from.length === 1 && to === from[0];
    set(index, results[index] === undefined && isSame ? value[to] : results[index]);
  });
  return result;
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
  const value: unknown = structuredClone(set);
  if (into === undefined) result[key] = value;
  else result[into] = { ...(isRecord(result[into]) ? result[into] : {}), [key]: value };
}
