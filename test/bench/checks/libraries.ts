import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ZodType } from "zod/v4";
import type { Cost, Implementation } from "../interleave.js";
import { bindings, importFile, sdkZod, upstreamSchema } from "../paths.js";

/** Whether a value fits a definition. */
export type Check = (value: unknown) => boolean;

/** A way to check the protocol's values. */
export interface Library {
  readonly name: string;
  /** The check for a definition; undefined when there is none. */
  readonly checkOf: (def: string) => Check | undefined;
  /** The rules that it cannot express, where that makes it accept values that are invalid. */
  readonly blindTo?: string;
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
export const AJV = "ajv, upstream's schema";
export const AJV_TAGS = "ajv, discriminator: true";

/** As strict about closed unions as the others are. */
const REJECT = { unknown: "reject" } as const;

/** Our validators and decoders, the SDK's zod schemas, and ajv on upstream's schema. */
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
    ajvLibrary(AJV, loadAjv()),
    {
      ...ajvLibrary(AJV_TAGS, loadAjv({ discriminator: true })),
      blindTo: "values other than objects where a union with a discriminator stands",
    },
  ];
}

/** The definition's check, which must be there. */
export function checkOf(library: Library, def: string): Check {
  const check = library.checkOf(def);
  if (check === undefined) throw new Error(`${library.name} has no validator for ${def}`);
  return check;
}

/** Upstream's schema as it is; formats are annotations in the protocol. */
export function loadAjv(
  options: { readonly source?: boolean; readonly discriminator?: boolean } = {},
): Ajv2020 {
  const { source = false, discriminator = false } = options;
  const code = { esm: true, source };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator, code });
  const schema = readFileSync(upstreamSchema(), "utf8");
  return ajv.addSchema(JSON.parse(schema) as object, "upstream");
}

function ajvLibrary(name: string, ajv: Ajv2020): Library {
  return { name, checkOf: (def) => ajv.getSchema(`upstream#/$defs/${def}`) as Check | undefined };
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

/** The cost of one call on average; CPU time includes what the garbage collector's threads use. */
function costOfOne(calls: readonly Call[], turn: number): Cost {
  const repeats = Math.ceil(CALLS_A_READING / calls.length);
  const started = performance.now();
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
  return { cpu: used / 1e6 / count, wall: (performance.now() - started) / 1e3 / count };
}
