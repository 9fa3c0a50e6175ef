import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resolveInputs } from "../../generators/run/inputs/select-profiles.js";
import { readTemplates } from "../../generators/run/installation.js";
import { compile } from "../../generators/compile.js";
import { buildProtocol } from "../../generators/model/build/build.js";
import type { VirtualFile } from "../../generators/output/file.js";
import type { JsonObject } from "../../generators/schema/json-schema/json.js";
import { loadDialect } from "../../generators/schema/source/load.js";
import { InputError, jsonPointer } from "../../generators/schema/problem.js";
import { TARGETS } from "../../generators/targets.js";
import { ROOT } from "../support/paths.js";
import { siteInputs } from "../support/emit-inputs.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const SCHEMA = join(ROOT, "schema");
const check = loadDialect(SCHEMA);

const ACT = "globalThis.PWNED = 1";

/** Keywords that one of our libraries would paste or interpret, and some that nobody knows, each with a value that would be code. */
const KEYWORDS: { readonly [keyword: string]: unknown } = {
  tsType: `(() => { ${ACT}; })()`,
  tsEnumNames: [`x = (${ACT})`],
  $id: `"; ${ACT}; "`,
  id: `"; ${ACT}; "`,
  $anchor: `a*/ ${ACT}; /*`,
  $dynamicRef: `#${ACT}`,
  $dynamicAnchor: ACT,
  $recursiveRef: "#",
  $vocabulary: { [ACT]: true },
  $data: `1/${ACT}`,
  instanceof: ACT,
  typeof: ACT,
  transform: [ACT],
  regexp: `/${ACT}/`,
  definitions: { [ACT]: {} },
  [ACT]: ACT,
  "x-anything": `\`\${${ACT}}\``,
};

/** Those of them that say nothing about values. */
const ANNOTATIONS = [
  ...["$id", "id", "$anchor", "$vocabulary", "tsType", "tsEnumNames", "x-anything"],
];

/** A schema with more keywords in a definition, a property, an item and a variant. */
function schemaWith(extra: JsonObject): { readonly $defs: JsonObject } {
  const text = { description: "Text.", type: "string", ...extra };
  return {
    $defs: {
      Thing: {
        description: "A thing.",
        type: "object",
        properties: { list: { description: "A list.", type: "array", items: text }, text },
        ...extra,
      },
      Choice: {
        description: "A choice.",
        anyOf: [text, { description: "A number.", type: "integer", ...extra }],
      },
    },
  } as unknown as { readonly $defs: JsonObject };
}

/** Where `schemaWith` puts them. */
const PLACES = [
  "Choice/anyOf/0",
  "Choice/anyOf/1",
  "Thing",
  "Thing/properties/list/items",
  "Thing/properties/text",
];

function pick(keywords: object, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(keywords).filter(([name]) => names.includes(name)));
}

/** The contents of the file when a schema is compiled. */
async function compiled(extra: JsonObject, allowed: readonly string[]): Promise<VirtualFile[]> {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(schemaWith(extra)));
  const allow = allowed.length > 0 && { allowUnknownKeywords: allowed };
  const [input] = resolveInputs({ protocol: "v9", schema: file, ...allow }, SCHEMA);
  const protocol = buildProtocol(input!.bundle, input!.profile);
  const templates = readTemplates();
  return compile([protocol], TARGETS, siteInputs({ templates }), { templates, version: "0.0.0" });
}

describe("a keyword that the dialect does not have", () => {
  test.each(Object.entries(KEYWORDS))("is refused at any place: %s", async (keyword, value) => {
    const extra = { [keyword]: value } as JsonObject;
    const document = {
      $schema: "module.schema.json",
      title: "Things",
      description: "Things.",
      ...schemaWith(extra),
    };
    const places = check("module", document, "things.json")
      .filter(({ message }) => message === `unknown keyword ${JSON.stringify(keyword)}`)
      .map(({ pointer }) => pointer);
    expect(places.sort()).toEqual(
      PLACES.map((place) => `/$defs/${place}${jsonPointer([keyword])}`).sort(),
    );
    const error = await compiled(extra, []).catch((thrown: unknown) => thrown);
    // A schema of others may have annotations for other tools, and definitions inside of others.
    if ([...ANNOTATIONS, "definitions"].includes(keyword))
      return expect(error).toBeInstanceOf(Array);
    expect(error).toBeInstanceOf(InputError);
    // A foreign schema uses its keywords everywhere; one problem names the first place.
    const message = `unknown keyword ${JSON.stringify(keyword)}`;
    const pointer = `/$defs/${PLACES[0]}${jsonPointer([keyword])}`;
    expect((error as InputError).problems).toMatchObject([{ message, pointer }]);
  });
});

describe("keywords whose values would be code", () => {
  test("have no effect on the output when they may be ignored", async () => {
    // Descriptions say which keywords about values are not checked.
    const named = Object.keys(KEYWORDS).filter((name) => /^\$(dynamic|recursive)/.test(name));
    const plain = await compiled(pick(KEYWORDS, named), named);
    const hostile = await compiled(KEYWORDS as JsonObject, Object.keys(KEYWORDS));
    const essence = (files: readonly VirtualFile[]): [string, string][] =>
      // The digest of the input is all that may tell the two apart.
      files.map(({ path, text }) => [path, text.replace(/[0-9a-f]{64}/g, "digest")]);
    expect(essence(hostile)).toEqual(essence(plain));
    expect(hostile.filter(({ text }) => text.includes("PWNED")).map(({ path }) => path)).toEqual(
      [],
    );
  });
});
