import { compile } from "../../../../../generators/compile.js";
import { schemas } from "../../../../../generators/emit/typescript/schemas/schemas.js";
import { types } from "../../../../../generators/emit/typescript/types/types.js";
import type { Protocol } from "../../../../../generators/model/protocol.js";
import type { VirtualFile } from "../../../../../generators/output/file.js";
import { bundle, importBundle } from "../../../../../generators/run/bundles/in-memory-bundle.js";
import { readTemplates } from "../../../../../generators/run/installation.js";

/** The generated schemas of a profile. */
export interface Schemas {
  readonly [definition: string]: {
    readonly is: (value: unknown) => boolean;
    readonly decode: (value: unknown) => { readonly ok: boolean };
  };
}

const templates = readTemplates();

/** Generates the types and schemas of protocols, and imports the schemas, by profile. */
export async function importSchemas(protocols: readonly Protocol[]): Promise<{
  readonly files: readonly VirtualFile[];
  readonly schemas: { readonly [profile: string]: Schemas };
}> {
  const files = await compile(protocols, [types, schemas], {}, { templates, version: "0.0.0" });
  const entry = protocols.map(
    ({ profile }) => `export * as ${profile} from "./typescript/${profile}/schemas.js";`,
  );
  const modules = files.map(
    ({ path, text }) => [path.replace("typescript/src/", "typescript/"), text] as const,
  );
  const sources = new Map([...templates, ...modules, ["entry.ts", entry.join("\n")]]);
  return { files, schemas: await importBundle(await bundle(sources, "entry.ts", "esm")) };
}
