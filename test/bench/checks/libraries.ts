import type { ZodType } from "zod/v4";
import type { Implementation } from "../interleave.js";
import { bindings, importFile, sdkZod } from "../paths.js";

/** Whether a value fits a definition. */
export type Check = (value: unknown) => boolean;

/** A way to check the protocol's values. */
export interface Library {
  readonly name: string;
  /** The check for a definition; undefined when there is none. */
  readonly checkOf: (def: string) => Check | undefined;
}

/** One call: a check and its argument. */
export interface Call {
  readonly check: Check;
  readonly value: unknown;
}

type Decode = (value: unknown, options: { readonly unknown: "reject" }) => { readonly ok: boolean };

export const OURS = "ours, validate";
export const DECODERS = "ours, decode";
export const ZOD = "zod (official SDK)";

/** As strict about closed unions as the others are. */
const REJECT = { unknown: "reject" } as const;

/** Our validators and decoders, and the SDK's zod schemas. */
export async function loadLibraries(): Promise<Library[]> {
  const schemas = await importFile<{ readonly is: Check; readonly decode: Decode }>(
    bindings("v1/schemas"),
  );
  const zod = await importFile<ZodType>(sdkZod());
  return [
    {
      name: DECODERS,
      checkOf: (def) => {
        const decode = schemas[def]?.decode;
        return decode && ((value) => decode(value, REJECT).ok);
      },
    },
    { name: OURS, checkOf: (def) => schemas[def]?.is },
    {
      name: ZOD,
      checkOf: (def) => {
        const schema = zod[`z${def}`];
        return schema && ((value) => schema.safeParse(value).success);
      },
    },
  ];
}

/** The definition's check, which must be there. */
export function checkOf(library: Library, def: string): Check {
  const check = library.checkOf(def);
  if (check === undefined) throw new Error(`${library.name} has no validator for ${def}`);
  return check;
}

/**
 * An implementation that makes calls, all of them again and again.
 *
 * @param turn how much CPU time a turn takes, in microseconds
 */
export function calling(name: string, calls: readonly Call[], turn: number): Implementation {
  return { name, run: () => costOfOne(calls, turn) };
}

/** Calls between two readings of the CPU time: a reading takes about a microsecond. */
const CALLS_A_READING = 500;

/** Returns the CPU time of one call on average, with what the garbage collector's threads use. */
function costOfOne(calls: readonly Call[], turn: number): number {
  const repeats = Math.ceil(CALLS_A_READING / calls.length);
  const before = process.cpuUsage();
  let count = 0;
  let used = 0;
  while (used < turn) {
    for (let repeat = 0; repeat < repeats; repeat++)
      for (const { check, value } of calls) if (!check(value)) throw new Error("a message fails");
    count += calls.length * repeats;
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  return used / 1e6 / count;
}
