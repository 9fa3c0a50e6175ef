import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { compose } from "../../../generators/schema/compose.js";
import { diffSchemas } from "../../../generators/schema/compare/diff.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { jsonPointer } from "../../../generators/schema/problem.js";
import { publishMeta, publishSchema } from "../../../generators/schema/compose/publish.js";
import { walk } from "../../../generators/schema/json-schema/walk.js";
import { ROOT } from "../../support/paths.js";
import {
  PUBLISHED,
  readReference,
  readReferenceMeta,
  readShingles,
  REFERENCE,
  RELEASE,
} from "../../reference/reference.js";
import { shinglesOf } from "../../reference/texts.js";

const sources = loadSources(join(ROOT, "schema"));
const bundles = new Map(
  [...sources.profiles.values()].map((profile) => [
    profile.name,
    compose(sources.protocols.get(profile.protocol)!, profile.features),
  ]),
);

describe.each(PUBLISHED)("the canonical schema of %s", (name) => {
  const bundle = bundles.get(name)!;
  const upstream = readReference(name);

  test("has no structural difference from the published schema", () => {
    expect(diffSchemas(upstream, publishSchema(bundle))).toEqual([]);
    expect(Object.keys(publishSchema(bundle).$defs!).sort()).toEqual(
      Object.keys(upstream.$defs!).sort(),
    );
  });

  test("compiles with a strict JSON Schema validator once its keywords are declared", () => {
    const ajv = new Ajv2020({
      strict: true,
      validateFormats: false,
      allowUnionTypes: true,
      strictRequired: false,
    });
    ajv.addVocabulary([
      "x-side",
      "x-method",
      "x-docs-ignore",
      "x-state",
      "x-scope",
      "discriminator",
    ]);
    ajv.addVocabulary(
      ["default-on-error", "default-on-null", "skip-invalid-items"].map(
        (flag) => `x-deserialize-${flag}`,
      ),
    );
    expect(() => ajv.compile(publishSchema(bundle))).not.toThrow();
  });
});

test.each(["v1", "v2"])("%s names the release of the reference, with its digests", (name) => {
  const { release, digests } = sources.protocols.get(name)!.upstream;
  expect(release).toBe(RELEASE);
  expect(Object.keys(digests).sort()).toEqual([`${name}-unstable.json`, `${name}.json`]);
  for (const [path, digest] of Object.entries(digests)) {
    const file = readFileSync(join(REFERENCE, path));
    expect(createHash("sha256").update(file).digest("hex")).toBe(digest);
  }
});

test.each(PUBLISHED)("%s has the published methods of each side", (name) => {
  expect(publishMeta(bundles.get(name)!)).toEqual(readReferenceMeta(name));
});

describe.each(["v1-full", "v2-full"])("the descriptions of %s", (name) => {
  const bundle = bundles.get(name)!;
  const published = readShingles();

  test("are our own: none longer than 40 characters consists of published phrases", () => {
    const own = new Set<string>();
    collectTexts(publishSchema(bundle), own);
    for (const { summary } of bundle.methods) own.add(summary);
    const copied = [...own].filter(
      (text) => text.length > 40 && shinglesOf(text).every((hash) => published.has(hash)),
    );
    expect(own.size).toBeGreaterThan(1000);
    expect(copied).toEqual([]);
  });

  test("are complete: every definition, property, variant, value, method and feature has one", () => {
    const missing = [...bundle.definitions].flatMap(([definition, { schema }]) =>
      undocumented(definition, schema),
    );
    for (const { name: method, summary, description } of bundle.methods) {
      if (summary === "" || description === "") missing.push(method);
    }
    for (const feature of bundle.features)
      if (feature.description === "") missing.push(feature.name);
    expect(missing).toEqual([]);
  });
});

describe.each(["v1-full", "v2-full"])("the examples of %s", (name) => {
  const bundle = bundles.get(name)!;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(publishSchema(bundle), "bundle");

  test.each(
    bundle.methods.map(
      (method) => [`${method.side} ${method.kind} ${method.name}`, method] as const,
    ),
  )("of the %s are valid", (_, method) => {
    expect(method.examples.length).toBeGreaterThan(0);
    for (const example of method.examples) {
      for (const part of ["params", "result"] as const) {
        const definition = method[part];
        expect(example[part] === undefined, `${example.title}: ${part}`).toBe(
          definition === undefined,
        );
        if (definition === undefined) continue;
        const valid = ajv.validate(`bundle#/$defs/${definition}`, example[part]);
        expect(valid, `${example.title}: ${ajv.errorsText()}`).toBe(true);
      }
    }
  });

  test("of definitions are valid", () => {
    for (const [definition, { schema }] of bundle.definitions) {
      for (const example of schema.examples ?? []) {
        const valid = ajv.validate(`bundle#/$defs/${definition}`, example);
        expect(valid, `${definition}: ${ajv.errorsText()}`).toBe(true);
      }
    }
  });

  test("and the defaults of properties are valid", () => {
    const wrong: string[] = [];
    let count = 0;
    for (const [definition, { schema }] of bundle.definitions) {
      walk(schema, (part, path) => {
        if (part.default === undefined) return;
        count++;
        const pointer = jsonPointer([definition, ...path]);
        if (!ajv.validate(`bundle#/$defs${pointer}`, part.default)) wrong.push(pointer);
      });
    }
    expect(count).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
  });
});

function normalized(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function collectTexts(schema: JsonSchema, into: Set<string>): void {
  for (const definition of [schema, ...Object.values(schema.$defs ?? {})]) {
    walk(definition, ({ description }) => {
      if (description !== undefined) into.add(normalized(description));
    });
  }
}

/** Places that should have a description and have none. */
function undocumented(name: string, definition: JsonSchema): string[] {
  const missing: string[] = definition.description ? [] : [name];
  walk(definition, (schema, path) => {
    for (const [property, value] of Object.entries(schema.properties ?? {})) {
      if (
        value.const === undefined &&
        path.at(-2) !== "not" &&
        !isTagOnly(value, path) &&
        !value.description
      ) {
        missing.push([name, ...path, property].join("/"));
      }
    }
    const variants = schema.oneOf ?? schema.anyOf ?? [];
    const isNullable = variants.length === 2 && variants[1]?.type === "null";
    if (isNullable || path.includes("not")) return;
    variants.forEach((variant, index) => {
      if (!variant.description && !isPlumbing(variant))
        missing.push([name, ...path, index].join("/"));
    });
  });
  return missing;
}

/** The tag of a variant needs no text of its own: the variant has one. */
function isTagOnly(property: JsonSchema, path: readonly (string | number)[]): boolean {
  return (
    Object.keys(property).every((key) => key === "type") &&
    path.some((part) => part === "anyOf" || part === "oneOf")
  );
}

/** The list of payloads inside an envelope's `params`. */
function isPlumbing(variant: JsonSchema): boolean {
  return variant.anyOf !== undefined && Object.keys(variant).length === 1;
}
