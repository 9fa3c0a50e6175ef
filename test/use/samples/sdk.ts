import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../support/paths.js";

/** The decoders of the official SDK for one profile. */
export interface Sdk {
  readonly has: (definition: string) => boolean;
  /** Decodes a value: itself or its repaired form as JSON, or nothing. */
  readonly decode: (
    definition: string,
    value: unknown,
  ) => { readonly ok: true; readonly value: unknown } | { readonly ok: false };
}

/** Where the SDK keeps them; they are not exported. */
const FOLDERS = {
  v1: "v1",
  "v1-unstable": "v1/unstable",
  v2: "v2",
  "v2-unstable": "v2/unstable",
  nes: "nes",
} as const;

interface ZodSchema {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown };
}

export async function loadSdk(profile: keyof typeof FOLDERS): Promise<Sdk> {
  const dist = join(ROOT, "node_modules/@agentclientprotocol/sdk/dist");
  const file = join(dist, FOLDERS[profile], "schema/zod.gen.js");
  const zod = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    readonly [name: string]: ZodSchema;
  };
  return {
    has: (definition) => zod[`z${definition}`] !== undefined,
    decode: (definition, value) => {
      const { success, data } = zod[`z${definition}`]!.safeParse(value);
      return success ? { ok: true, value: asJson(data) } : { ok: false };
    },
  };
}

/** As JSON, so that a key with the value undefined is no key. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}
