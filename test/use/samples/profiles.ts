import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Decoded, DecodeOptions, Schema } from "acp-bindings";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { IS_DEEP } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";

export const PROFILES = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable", "v2-full"] as const;

/** The profiles whose values a run makes: all in a deep one, else the smallest and the largest. */
export const TRIED_PROFILES: readonly Profile[] = IS_DEEP ? PROFILES : ["v1", "v2-full"];

export type Profile = (typeof PROFILES)[number];

/** One profile as its user sees it, with functions that take a definition by name. */
export interface Bindings {
  readonly profile: Profile;
  readonly bundle: JsonSchema;
  /** Every definition, sorted. */
  readonly definitions: readonly string[];
  readonly decode: (
    definition: string,
    value: unknown,
    options?: DecodeOptions,
  ) => Decoded<unknown>;
  readonly schemaOf: (definition: string) => Schema<unknown>;
  readonly encode: (definition: string, value: unknown) => unknown;
}

/** Loads the generated code of a profile and the bundle that it was made from. */
export async function loadBindings(profile: Profile): Promise<Bindings> {
  const schemas: Table = await load(`acp-bindings/${profile}/schemas`);
  const schemaOf = (definition: string): Schema<unknown> => find(schemas, definition);
  const file = join(ROOT, `out/schema/${profile}.schema.json`);
  const bundle = JSON.parse(readFileSync(file, "utf8")) as JsonSchema;
  return {
    profile,
    bundle,
    definitions: Object.keys(bundle.$defs!).sort(),
    decode: (definition, value, options) => schemaOf(definition).decode(value, options),
    schemaOf,
    encode: (definition, value) => schemaOf(definition).encode(value),
  };
}

/** By node; a bundler would want to know the name before. */
async function load<T>(name: string): Promise<T> {
  return (await import(/* @vite-ignore */ name)) as T;
}

interface Table {
  readonly [name: string]: Schema<unknown>;
}

function find(table: Table, name: string): Schema<unknown> {
  const found = table[name];
  if (found === undefined) throw new Error(`acp-bindings has no ${name}`);
  return found;
}
