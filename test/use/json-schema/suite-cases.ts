import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  isObject,
  type Json,
  type JsonObject,
} from "../../../generators/schema/json-schema/json.js";
import { extraPath, lacksExtras } from "../../support/extras.js";
import { ROOT } from "../../support/paths.js";

/** A schema of the official JSON Schema tests as definitions, with its values. */
export interface SuiteCase {
  /** The file and description of the case. */
  readonly name: string;
  /** The name of its definition. */
  readonly definition: string;
  /** That definition and those that it refers to; no other case has their names. */
  readonly definitions: JsonObject;
  readonly tests: readonly SuiteTest[];
}

interface SuiteTest {
  readonly description: string;
  readonly data: Json;
  readonly valid: boolean;
}

/**
 * The official JSON Schema tests. As a package they exist up to draft 4, whose
 * tests of the keywords that the dialect has mean the same in 2020-12; those of
 * 2020-12 are an extra.
 */
const FOLDERS: readonly string[] = [
  join(ROOT, "node_modules/json-schema-test-suite/tests/draft4"),
  ...(lacksExtras("the official JSON Schema tests of 2020-12")
    ? []
    : [extraPath("fixtures/json-schema-test-suite")]),
];

/** The keywords that are about values of one type, by type. */
const ABOUT: { readonly [keyword: string]: string } = {
  minimum: "number",
  maximum: "number",
  minLength: "string",
  maxLength: "string",
  pattern: "string",
  items: "array",
  minItems: "array",
  maxItems: "array",
  properties: "object",
  required: "object",
  additionalProperties: "object",
};

/**
 * All schemas of the suite as they stand, and those without a type once more
 * with the type that their keywords are about and the values of that type.
 */
export function suiteCases(): SuiteCase[] {
  const groups = FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .sort()
      .flatMap((file) =>
        readGroups(join(folder, file)).map((group) => ({
          ...group,
          description: `${file}: ${group.description}`,
        })),
      ),
  );
  return groups.flatMap((group) => [group, ...withType(group)]).map(toCase);
}

interface Group {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly SuiteTest[];
}

/** Reads a file of tests; draft 4 calls `$defs` `definitions`. */
function readGroups(file: string): Group[] {
  const text = readFileSync(file, "utf8");
  return JSON.parse(
    text.replaceAll('"definitions":', '"$defs":').replaceAll("#/definitions/", "#/$defs/"),
  ) as Group[];
}

function withType({ description, schema, tests }: Group): Group[] {
  if (!isObject(schema) || schema["type"] !== undefined) return [];
  const types = new Set(Object.keys(schema).flatMap((keyword) => ABOUT[keyword] ?? []));
  const [type] = types;
  if (type === undefined || types.size > 1) return [];
  const fitting = tests.filter(({ data }) => typeOf(data) === type);
  return [{ description: `${description} (${type})`, schema: { ...schema, type }, tests: fitting }];
}

/** Definitions get names in the manner of types, which is no question of meaning. */
function toCase({ description: name, schema, tests }: Group, index: number): SuiteCase {
  const definition = `Case${index}`;
  if (!isObject(schema)) return { name, definition, definitions: { [definition]: schema }, tests };
  const { $defs, $schema: _, ...root } = schema;
  const parts = Object.entries(isObject($defs) ? $defs : {});
  const references = parts.map(([part]) => `#/$defs/${part}`);
  const rename = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(rename);
    if (!isObject(part)) return part;
    const entries = Object.entries(part).map(([keyword, value]): [string, Json] => {
      if (keyword === "enum" || keyword === "const") return [keyword, value];
      const found = keyword === "$ref" ? references.indexOf(value as string) : -1;
      return [keyword, found < 0 ? rename(value) : `#/$defs/${definition}Part${found}`];
    });
    return Object.fromEntries(entries);
  };
  const renamed = parts.map(([, part], found) => [`${definition}Part${found}`, rename(part)]);
  return {
    name,
    definition,
    definitions: { [definition]: rename(root), ...(Object.fromEntries(renamed) as JsonObject) },
    tests,
  };
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
