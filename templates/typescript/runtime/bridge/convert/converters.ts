import { compileTable, type Rows } from "./compile.js";
import { REJECTED, Run, type Loss } from "./run.js";
import type { ConversionTable, MethodRule } from "./table.js";

/** A converted value, and what was lost. */
export interface Converted<T> {
  /** Undefined when the other version cannot express it; the losses give the reason. */
  readonly value: T | undefined;
  /** One shared empty list when nothing was lost. */
  readonly losses: readonly Loss[];
}

/** The conversions of one direction. */
export interface Converters {
  /** Converts a value by the rule of a pair of definitions. Never throws, and never changes its input. */
  readonly convert: (pair: string | undefined, value: unknown) => Converted<unknown>;
  readonly table: ConversionTable;
  /** Returns what becomes of a method; undefined for one that the protocol does not have. */
  readonly ruleOf: (kind: "request" | "notification", method: string) => MethodRule | undefined;
  /** The version of the results. */
  readonly to: "v1" | "v2";
}

const made = new WeakMap<ConversionTable, Converters>();

/** Returns the conversions of a table, which are made once. */
export function convertersOf(table: ConversionTable, to: "v1" | "v2"): Converters {
  const known = made.get(table);
  if (known !== undefined) return known;
  const rows: Rows = compileTable(table);
  const rules = {
    request: rulesOf(table, "request"),
    notification: rulesOf(table, "notification"),
  };
  const converters: Converters = {
    table,
    ruleOf: (kind, method) => rules[kind].get(method),
    to,
    convert: (pair, value) => {
      const run = new Run(table.losses, to);
      const convert = pair === undefined ? undefined : rows(pair);
      const converted = convert === undefined ? value : convert(value, run);
      return { value: converted === REJECTED ? undefined : converted, losses: run.losses };
    },
  };
  made.set(table, converters);
  return converters;
}

function rulesOf({ methods }: ConversionTable, kind: string): ReadonlyMap<string, MethodRule> {
  const own = Object.entries(methods).filter(([key]) => key.startsWith(`${kind} `));
  return new Map(own.map(([key, rule]) => [key.slice(kind.length + 1), rule]));
}

/** Converts the values of one pair of definitions. */
export type Converter<From, To> = (value: From) => Converted<To>;

/** Makes the function that converts the values of one pair of definitions. */
export function converter<From, To>(
  table: ConversionTable,
  to: "v1" | "v2",
  pair: string,
): Converter<From, To> {
  return (value) => convertersOf(table, to).convert(pair, value) as Converted<To>;
}
