import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ZodType } from "zod/v4";
import { ourDecoders, ourValidators, sdkZod, upstreamSchema } from "../paths.js";
import { loadGenerated, loadV1 } from "./generate-code.js";
import { ZodRewriter } from "./rewrite-zod.js";
import { loadTypia } from "./typia.js";

/** Whether a value fits a definition. */
export type Check = (value: unknown) => boolean;

/** A way to check the protocol's values. */
export interface Library {
  readonly name: string;
  /** The check for a definition; undefined when there is none. */
  readonly checkOf: (def: string) => Check | undefined;
  /** What it cannot express, where that makes it accept values that are invalid. */
  readonly blindTo?: string;
}

type Decode = (value: unknown, options: { readonly unknown: "reject" }) => { readonly ok: boolean };

export const OURS = "ours, validate";
export const DECODERS = "ours, decode";
export const ZOD = "zod (official SDK)";
export const ZOD_UNIONS = "zod, discriminated unions";
export const AJV = "ajv, upstream's schema";
export const AJV_TAGS = "ajv, discriminator: true";
export const AJV_CODE = "ajv standalone (target ajv)";
export const TYPIA = "typia, our types";

/** As strict about closed unions as the others are. */
const REJECT = { unknown: "reject" } as const;

/** Ours and what the SDK and ajv bring by themselves, ready to use. */
export async function loadLibraries(): Promise<Library[]> {
  const ours = await importFile<Check>(ourValidators());
  const decoders = await importFile<Decode>(ourDecoders());
  const zod = await importFile<ZodType>(sdkZod());
  return [
    {
      name: DECODERS,
      checkOf: (def) => {
        const decode = decoders[`decode${def}`];
        return decode && ((value) => decode(value, REJECT).ok);
      },
    },
    { name: OURS, checkOf: (def) => ours[`validate${def}`] },
    { name: ZOD, checkOf: (def) => zodCheck(zod[`z${def}`]) },
    ajvLibrary(AJV, loadAjv()),
  ];
}

/**
 * The peers that somebody has to prepare first.
 *
 * @param defs the definitions that will be asked for
 */
export async function loadPreparedLibraries(defs: readonly string[]): Promise<Library[]> {
  const zod = await importFile<ZodType>(sdkZod());
  const rewriter = new ZodRewriter();
  const code = await loadGenerated(loadV1(), ["types", "ajv", "package"], "ajv");
  const typia = await loadTypia(defs);
  return [
    {
      name: ZOD_UNIONS,
      checkOf: (def) => {
        const schema = zod[`z${def}`];
        return schema && zodCheck(rewriter.rewrite(schema));
      },
    },
    {
      ...ajvLibrary(AJV_TAGS, loadAjv({ discriminator: true })),
      blindTo: "what is no object where a union with a discriminator stands",
    },
    { name: AJV_CODE, checkOf: (def) => code[`validate${def}`] as Check | undefined },
    {
      name: TYPIA,
      checkOf: (def) => typia[`is${def}`] as Check | undefined,
      blindTo: "integers and limits, which types do not tell",
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

export async function importFile<T>(path: string): Promise<{ readonly [name: string]: T }> {
  return (await import(pathToFileURL(path).href)) as { [name: string]: T };
}

function ajvLibrary(name: string, ajv: Ajv2020): Library {
  return { name, checkOf: (def) => ajv.getSchema(`upstream#/$defs/${def}`) as Check | undefined };
}

function zodCheck(schema: ZodType | undefined): Check | undefined {
  return schema && ((value) => schema.safeParse(value).success);
}
