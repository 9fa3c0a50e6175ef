import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { compose } from "../../../generators/schema/compose/compose.js";
import { diffSchemas } from "../../../generators/schema/compare/diff.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { jsonPointer } from "../../../generators/schema/problem.js";
import { publishMeta, publishSchema } from "../../../generators/schema/compose/publish.js";
import { walk } from "../../../generators/schema/json-schema/walk.js";
import { ROOT } from "../../support/paths.js";

const sdk = join(ROOT, "node_modules/@agentclientprotocol/sdk");
const sources = loadSources(join(ROOT, "schema"));
const bundles = new Map(
  [...sources.profiles.values()].map((profile) => [
    profile.name,
    compose(sources.protocols.get(profile.protocol)!, profile.features),
  ]),
);

function published(path: string): JsonSchema {
  return JSON.parse(readFileSync(join(sdk, path), "utf8")) as JsonSchema;
}

/** The profiles that upstream publishes as well. */
const PUBLISHED = [
  { name: "v1", file: "schema/v1/schema.json" },
  { name: "v1-unstable", file: "schema/v1/schema.unstable.json" },
  { name: "v2", file: "schema/v2/schema.json" },
  { name: "v2-unstable", file: "schema/v2/schema.unstable.json" },
] as const;

describe.each(PUBLISHED)("the canonical schema of $name", ({ name, file }) => {
  const bundle = bundles.get(name)!;
  const upstream = published(file);

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
    ajv.addVocabulary(["x-side", "x-method", "x-docs-ignore", "discriminator"]);
    ajv.addVocabulary(
      ["default-on-error", "default-on-null", "skip-invalid-items"].map(
        (flag) => `x-deserialize-${flag}`,
      ),
    );
    expect(() => ajv.compile(publishSchema(bundle))).not.toThrow();
  });
});

test.each(["v1", "v2"])("%s has the digests of the published files that it follows", (name) => {
  for (const [path, digest] of Object.entries(sources.protocols.get(name)!.upstream.digests)) {
    expect(
      createHash("sha256")
        .update(readFileSync(join(sdk, path)))
        .digest("hex"),
    ).toBe(digest);
  }
});

test("v1 has the published methods of the agent, the client and both", async () => {
  const index = (await import(join(sdk, "dist/v1/schema/index.js"))) as Record<string, object>;
  const bundle = bundles.get("v1")!;
  expect(publishMeta(bundle)).toEqual({
    version: 1,
    agentMethods: index["AGENT_METHODS"],
    clientMethods: index["CLIENT_METHODS"],
    protocolMethods: index["PROTOCOL_METHODS"],
  });
});

describe.each(["v1-full", "v2-full"])("the descriptions of %s", (name) => {
  const bundle = bundles.get(name)!;
  const texts = new Set<string>();
  for (const { file } of PUBLISHED) collectTexts(published(file), texts);

  test("are our own: none longer than 40 characters equals one of the published ones", () => {
    const own = new Set<string>();
    collectTexts(publishSchema(bundle), own);
    for (const { summary } of bundle.methods) own.add(summary);
    const copied = [...own].filter((text) => text.length > 40 && texts.has(normalized(text)));
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
