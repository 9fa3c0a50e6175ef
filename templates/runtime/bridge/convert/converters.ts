import { compileTable, type Rows } from "./compile.js";
import { REJECTED, Run, type Loss } from "./run.js";
import type { ConversionTable } from "./table.js";

/** A converted value, and what was lost. */
export interface Converted<T> {
  /** Undefined when the other version cannot say it at all; the losses tell why. */
  readonly value: T | undefined;
  /** One shared empty list when nothing was lost. */
  readonly losses: readonly Loss[];
}

/** The conversions of one direction. */
export interface Converters {
  /** Converts a value by the rule of a pair of definitions. Never throws, and never changes its input. */
  readonly convert: (pair: string | undefined, value: unknown) => Converted<unknown>;
  readonly table: ConversionTable;
  /** The version of the results. */
  readonly to: "v1" | "v2";
}

const made = new WeakMap<ConversionTable, Converters>();

/** Returns the conversions of a table, which are made once. */
export function convertersOf(table: ConversionTable, to: "v1" | "v2"): Converters {
  const known = made.get(table);
  if (known !== undefined) return known;
  const rows: Rows = compileTable(table);
  const converters: Converters = {
    table,
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

/** Makes the function that converts the values of one pair of definitions. */
export function converter<From, To>(
  table: ConversionTable,
  to: "v1" | "v2",
  pair: string,
): (value: From) => Converted<To> {
  return (value) => convertersOf(table, to).convert(pair, value) as Converted<To>;
}
