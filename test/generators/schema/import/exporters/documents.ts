import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Selection } from "../../../../../generators/run/options.js";
import { importInput } from "../../../../../generators/run/inputs/import-schema.js";
import { buildProtocol } from "../../../../../generators/model/build/build.js";
import type { Protocol } from "../../../../../generators/model/protocol.js";
import {
  isObject,
  type Json,
  type JsonObject,
} from "../../../../../generators/schema/json-schema/json.js";
import { InputError, type Problem } from "../../../../../generators/schema/problem.js";
import { readSchemas } from "../../../../fixtures/exporters/schemas.js";
import { ROOT } from "../../../../support/paths.js";

/**
 * What each schema was made with and from. The usual types are records, optional and nullable
 * properties, unions with and without tags, enumerations, recursion, maps, generic types and
 * intersections; all types are these with closed objects, tuples, sets, patterns and limits of every kind.
 */
const MADE: { readonly [name: string]: readonly [exporter: string, from: string] } = {
  zod: ['Zod 4.6.7, `io: "input"`', "usual types, formats"],
  "zod-output": ["Zod 4.6.7", "usual types, formats"],
  "zod-draft-07": ['Zod 4.6.7, `target: "draft-07"`, `io: "input"`', "usual types, formats"],
  "zod-whole": ['Zod 4.6.7, `io: "input"`', "all types"],
  "zod-whole-output": ["Zod 4.6.7", "all types"],
  "zod-3": ["zod-to-json-schema 3.25.2", "all types"],
  "zod-3-passthrough": [
    'zod-to-json-schema 3.25.2, `removeAdditionalStrategy: "strict"`',
    "usual types",
  ],
  "sdk-acp": ['Zod 4.6.7, `io: "input"`', "the SDK of ACP 2.4.0"],
  "sdk-acp-output": ["Zod 4.6.7", "the SDK of ACP 2.4.0"],
  "sdk-mcp": ['Zod 4.6.7, `io: "input"`', "the SDK of MCP 1.32.2"],
  "sdk-mcp-output": ["Zod 4.6.7", "the SDK of MCP 1.32.2"],
  "typebox-0": ["TypeBox 0.34.52", "usual types"],
  "typebox-0-whole": ["TypeBox 0.34.52", "all types"],
  "typebox-1": ["TypeBox 1.4.3", "usual types"],
  "typebox-1-whole": ["TypeBox 1.4.3", "all types"],
  valibot: ["Valibot 1.5.0", "usual types"],
  "valibot-whole": ["Valibot 1.5.0", "all types"],
  "valibot-inline": ["Valibot 1.5.0, one schema", "usual types"],
  arktype: ["ArkType 2.2.9", "usual types"],
  "arktype-whole": ["ArkType 2.2.9", "all types"],
  "ts-json-schema-generator": [
    "ts-json-schema-generator 2.10.0, `--additional-properties`",
    "usual types",
  ],
  "ts-json-schema-generator-acp": [
    "ts-json-schema-generator 2.10.0, `--additional-properties`",
    "types of ACP",
  ],
  "ts-json-schema-generator-closed": ["ts-json-schema-generator 2.10.0", "all types"],
  "typescript-json-schema": ["typescript-json-schema 0.68.0", "usual types"],
  "typescript-json-schema-closed": ["typescript-json-schema 0.68.0, `--noExtraProps`", "all types"],
  pydantic: ["pydantic 2.14.4", "usual types"],
  "pydantic-output": ['pydantic 2.14.4, `mode="serialization"`', "usual types"],
  "pydantic-models": ["pydantic 2.14.4, `models_json_schema`", "usual types"],
  "pydantic-union": ["pydantic 2.14.4, `TypeAdapter`", "a union with a tag"],
  "pydantic-dataclass": ["pydantic 2.14.4, `TypeAdapter`", "a dataclass"],
  "pydantic-typed-dict": ["pydantic 2.14.4, `TypeAdapter`", "a typed dictionary"],
  "pydantic-named-tuple": ["pydantic 2.14.4, `TypeAdapter`", "a named tuple"],
  "pydantic-whole": ["pydantic 2.14.4", "all types"],
  "pydantic-1": ["pydantic 2.14.4, `pydantic.v1`", "usual types"],
  msgspec: ["msgspec 0.22.0", "usual types"],
  "msgspec-whole": ["msgspec 0.22.0", "all types"],
  "schemars-0": ["schemars 0.8.22", "usual types"],
  "schemars-0-whole": ["schemars 0.8.22", "all types"],
  "schemars-1": ["schemars 1.2.3", "usual types"],
  "schemars-1-draft-07": ["schemars 1.2.3, draft-07", "usual types"],
  "schemars-1-whole": ["schemars 1.2.3", "all types"],
  invopop: ["invopop/jsonschema 0.14.0, `AllowAdditionalProperties`", "usual types, integer keys"],
  "invopop-closed": ["invopop/jsonschema 0.14.0", "usual types, integer keys"],
  victools: ["victools/jsonschema-generator 4.38.0", "usual types"],
  "victools-closed": [
    "victools/jsonschema-generator 4.38.0, `FORBIDDEN_ADDITIONAL_PROPERTIES_BY_DEFAULT`",
    "usual types",
  ],
};

/** A schema and what becomes of it. */
export interface Imported {
  readonly name: string;
  readonly exporter: string;
  readonly from: string;
  readonly document: JsonObject;
  readonly outcome: Accepted | Refused;
}

/** A schema that was accepted. */
export interface Accepted {
  readonly isAccepted: true;
  /** The options that it needs; none for one that is accepted as published. */
  readonly flags: string;
  readonly protocol: Protocol;
  /** Returns the place in the document of a definition of the model. */
  readonly placeOf: (definition: string) => string;
}

/** A schema that was refused as published, with what is wrong. */
export interface Refused {
  readonly isAccepted: false;
  readonly problems: readonly Problem[];
}

/** Imports every schema of the corpus, in the order of the table. */
export function importAll(): readonly Imported[] {
  const schemas = readSchemas();
  const strange = Object.keys(schemas).filter((name) => !Object.hasOwn(MADE, name));
  if (strange.length > 0) throw new Error(`not in the table: ${strange.join(", ")}`);
  const folder = mkdtempSync(join(tmpdir(), "acp-exported-"));
  try {
    return Object.entries(MADE).map(([name, [exporter, from]]) => {
      const path = join(folder, `${name}.json`);
      writeFileSync(path, JSON.stringify(schemas[name]));
      return { ...{ name, exporter, from }, ...importFile(path, name) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports schemas that others have published, where their folder is. */
export function importFolder(folder: string): readonly Imported[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.map((file) => {
    const imported = importFile(join(folder, file), `x-${basename(file, ".json")}`);
    return { name: file, exporter: file, from: "published", ...imported };
  });
}

const CHECKED = ["patterns"] as const;
const ATTEMPTS: readonly Selection[] = [
  {},
  { allow: CHECKED },
  { allow: ["opened-objects", "patterns"] },
  { allow: [...CHECKED, "opened-tuples"] },
  { allow: ["opened-objects", "opened-tuples", "patterns"] },
];

function importFile(path: string, name: string): Pick<Imported, "document" | "outcome"> {
  const document = JSON.parse(readFileSync(path, "utf8")) as JsonObject;
  let refused: Refused | undefined;
  const attempt = (options: Selection): Accepted | undefined => {
    const outcome = importWith(path, name, options);
    if (!outcome.isAccepted) refused = outcome;
    return outcome.isAccepted ? outcome : undefined;
  };
  let outcome = firstOf(ATTEMPTS, attempt);
  const unknown = refused?.problems.flatMap(
    ({ message }) => /^unknown keyword "(.*)"$/.exec(message)?.[1] ?? [],
  );
  outcome ??= firstOf(ATTEMPTS, (one) => attempt({ ...one, allowUnknownKeywords: unknown! }));
  return outcome === undefined
    ? { document, outcome: refused! }
    : { document: readAs(document, outcome.flags), outcome };
}

/** Returns the first result of a function that there is. */
function firstOf<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const result = find(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Returns a document as the options say that it is read. */
function readAs(document: JsonObject, flags: string): JsonObject {
  const definitions = document["$defs"] as JsonObject;
  const open = flags.includes("opened-objects") ? opened(document, definitions) : document;
  return (flags.includes("opened-tuples") ? untupled(open) : open) as JsonObject;
}

/** Returns a document whose tuples are lists of items that any of their places accepts. */
function untupled(document: Json): Json {
  return JSON.parse(JSON.stringify(document), (_, part: Json) => {
    if (!isObject(part)) return part;
    const { prefixItems, additionalItems, items, maxItems = Infinity, ...rest } = part;
    const places = (Array.isArray(items) ? items : prefixItems) as readonly Json[] | undefined;
    if (!Array.isArray(places)) return part;
    const behind = Array.isArray(items) ? additionalItems : items;
    const isEnd = behind === false || Number(maxItems) <= places.length;
    const most = Math.min(Number(maxItems), isEnd ? places.length : Infinity);
    const anyOf = isEnd ? places.slice(0, most) : [...places, behind ?? {}];
    return { ...rest, items: { anyOf }, ...(most < Infinity && { maxItems: most }) };
  }) as Json;
}

/** Returns a document with its closed objects open; a list of names closes one as well. */
function opened(part: Json, definitions: JsonObject): Json {
  if (Array.isArray(part)) return part.map((one: Json) => opened(one, definitions));
  if (!isObject(part)) return part;
  const { propertyNames, additionalProperties: values, ...rest } = part;
  const { $ref, ...own } = isObject(propertyNames) ? propertyNames : {};
  const target = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : own;
  const names = isObject(target) ? target["enum"] : undefined;
  const listed = Array.isArray(names) ? names.map((name) => [String(name), values!]) : [];
  const isClosed = values === false || listed.length > 0;
  const open: JsonObject = {
    ...rest,
    ...(values !== undefined && !isClosed && { additionalProperties: values }),
    ...(listed.length > 0 && { properties: Object.fromEntries(listed) as JsonObject }),
  };
  return Object.fromEntries(
    Object.entries(open).map(([key, value]) => [key, opened(value, definitions)]),
  );
}

function importWith(path: string, name: string, options: Selection): Accepted | Refused {
  try {
    const own = { protocol: "v1", name: name.replaceAll(/[^a-z0-9]/g, "_") };
    const { bundle, profile, allowed } = importInput(
      { ...options, ...own },
      path,
      join(ROOT, "schema"),
    );
    const { allowUnknownKeywords: ignored } = options;
    const forms = Object.keys(allowed ?? {}).filter((form) => form !== "closed-objects");
    const flags = [
      ...(forms.length === 0 ? [] : [`--allow ${forms.join(",")}`]),
      ...(ignored === undefined ? [] : [`--allow-unknown-keywords ${ignored.join(",")}`]),
    ];
    return {
      isAccepted: true,
      flags: flags.join(" "),
      protocol: buildProtocol(bundle, profile),
      placeOf: (definition) => bundle.toWritten!(`/$defs/${definition}`),
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { isAccepted: false, problems: error.problems };
  }
}
