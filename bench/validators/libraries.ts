import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ourDecoders, ourValidators, sdkZod, upstreamSchema } from "../paths.js";

/** Whether a value fits a definition. */
export type Check = (value: unknown) => boolean;

/** A way to check the protocol's values. */
export interface Library {
  readonly name: string;
  /** The check for a definition; undefined when there is none. */
  readonly checkOf: (def: string) => Check | undefined;
}

type Decode = (value: unknown, options: { readonly unknown: "reject" }) => { readonly ok: boolean };

interface ZodSchema {
  safeParse(value: unknown): { readonly success: boolean };
}

export const OURS = "ours";
export const DECODERS = "ours, decoders";
export const ZOD = "zod (official SDK)";
export const AJV = "ajv, upstream's schema";

/** As strict about closed unions as the others are. */
const REJECT = { unknown: "reject" } as const;

/** All of them, ready to use. */
export async function loadLibraries(): Promise<Library[]> {
  const ours = await importFile<Check>(ourValidators());
  const decoders = await importFile<Decode>(ourDecoders());
  const zod = await importFile<ZodSchema>(sdkZod());
  const ajv = loadAjv();
  return [
    { name: OURS, checkOf: (def) => ours[`validate${def}`] },
    {
      name: DECODERS,
      checkOf: (def) => {
        const decode = decoders[`decode${def}`];
        return decode && ((value) => decode(value, REJECT).ok);
      },
    },
    {
      name: ZOD,
      checkOf: (def) => {
        const schema = zod[`z${def}`];
        return schema && ((value) => schema.safeParse(value).success);
      },
    },
    {
      name: AJV,
      checkOf: (def) => ajv.getSchema(`upstream#/$defs/${def}`) as Check | undefined,
    },
  ];
}

/** Upstream's schema as it is; formats are annotations in the protocol. */
export function loadAjv(options: { readonly source?: boolean } = {}): Ajv2020 {
  const code = { esm: true, source: options.source ?? false };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code });
  const schema = readFileSync(upstreamSchema(), "utf8");
  return ajv.addSchema(JSON.parse(schema) as object, "upstream");
}

async function importFile<T>(path: string): Promise<{ readonly [name: string]: T }> {
  return (await import(pathToFileURL(path).href)) as { [name: string]: T };
}
