import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import { buildParts, renamedParts } from "../../../../generators/model/parts/build-parts.js";
import { createPartNames } from "../../../../generators/model/parts/name-parts.js";
import { distinctWords, pascalCase, wordsOf } from "../../../../generators/model/parts/words.js";
import type { Part, RecordPart } from "../../../../generators/model/parts/part.js";
import type { Definition, Protocol } from "../../../../generators/model/protocol.js";
import type { Field, Shape } from "../../../../generators/model/shape.js";
import { visitShape } from "../../../../generators/model/visit-shape.js";
import { publishedNames } from "../../../../generators/model/parts/published-names.js";
import { refuseClashes } from "../../../../generators/run/generate/check-names.js";
import { compose } from "../../../../generators/schema/compose.js";
import { protocolOf } from "../../schema/sources.js";
import { ROOT } from "../../../support/paths.js";
import { loadProtocols } from "./profiles.js";

const protocols = loadProtocols();

test.each([
  ["sessionId", "session id"],
  ["session_set_mode", "session set mode"],
  ["HTTPServer", "http server"],
  ["_meta", "meta"],
  ["§", "ua7"],
  ["a<=b", "a less equal b"],
  ["日本", "日本"],
  ["", "empty"],
])("the words of %s are %s", (name, words) => {
  expect(wordsOf(name).join(" ")).toBe(words);
});

test.each([
  [["<", "<=", "Etc/GMT+1", "Etc/GMT-1", "!"]],
  [["_type", "Type", "type", "日本", "中国", "Ünï"]],
])("the words of %j are distinct, and depend on no order", (names) => {
  const words = distinctWords(names);
  const reversed = distinctWords([...names].reverse());
  expect(Object.fromEntries(reversed)).toEqual(Object.fromEntries(words));
  expect(new Set([...words.values()].map(pascalCase)).size).toBe(names.length);
});

describe("names of parts", () => {
  test("are published in schema/part-names.json, and no others (npm run generate)", () => {
    const file = readFileSync(`${ROOT}schema/part-names.json`, "utf8");
    const { versions } = JSON.parse(file) as { readonly versions: object };
    expect(versions).toEqual(publishedNames(protocols));
  });

  test("do not clash with definitions, nor with each other", () => {
    const names = createPartNames(["ServerHttp"]);
    expect(names.nameOf(["Server", "http"])).toBe("ServerHttpVariant");
    expect(names.nameOf(["Server", "HTTP"])).toBe("ServerHttpVariant2");
    expect(names.nameOf(["Server", "sse"])).toBe("ServerSse");
  });

  test("are the published ones, which no other part takes", () => {
    const names = createPartNames([], { "Server/http": "WebServer", "Server/gone": "ServerSse" });
    expect(names.nameOf(["Server", "http"])).toBe("WebServer");
    expect(names.nameOf(["Server", "sse"])).toBe("ServerSseVariant");
  });

  test("never end in the word for what a schema does not list", () => {
    const names = createPartNames([]);
    expect(names.nameOf(["Server", "unlisted"])).toBe("ServerUnlistedVariant");
  });

  test("of alternatives and values differ from those of all parts", () => {
    const parts = partsOf([
      definition("IdText", { kind: "object", fields: [field("text")] }),
      definition("Id", {
        kind: "union",
        exclusive: false,
        shared: [],
        variants: [
          { name: "text", description: "", slot: { shape: STRING, nullable: false } },
          {
            name: "IdText",
            description: "",
            slot: { shape: reference("IdText"), nullable: false },
          },
        ],
      }),
      definition("Level", {
        kind: "enum",
        type: "integer",
        values: [
          { value: -1, title: "Too low", description: "" },
          { value: 1, description: "" },
        ],
      }),
    ]);
    expect(parts.get("Id")).toMatchObject({
      alternatives: [{ name: "IdTextVariant" }, { name: "IdText" }],
    });
    expect(parts.get("Level")).toMatchObject({
      values: [
        { value: -1, name: "LevelTooLow" },
        { value: 1, name: "Level1" },
      ],
    });
  });
});

const STRING: Shape = { kind: "scalar", type: "string" };

describe("names that would be those of others", () => {
  const values = (...texts: string[]): Shape => ({
    kind: "enum",
    type: "string",
    values: texts.map((value) => ({ value, description: "" })),
  });
  const definitions = [
    definition("Op", values("a-b", "a.b", "ab", "<")),
    definition("OpX", values("y", "Y")),
    definition("Row", {
      kind: "object",
      fields: [field("line-no"), field("line_no"), field("id")],
    }),
  ];
  const renamed = (partNames: Protocol["partNames"]): object =>
    Object.fromEntries(renamedParts({ definitions, partNames }));

  test("are reported, by the path of each", () => {
    expect(renamed({})).toEqual({
      "Op/a-b": "OpAMinusB",
      "Op/a.b": "OpADotB",
      "OpX/y": expect.stringMatching(/^OpXY[A-Z][a-z]{3}$/) as string,
      "OpX/Y": expect.stringMatching(/^OpXY[A-Z][a-z]{3}$/) as string,
      "Row#line-no": "lineMinusNo",
      "Row#line_no": "lineUnderscoreNo",
    });
  });

  test("are free for what is left when the others are pinned", () => {
    const pins = {
      "Op/a-b": "OpMinus",
      "Op/a.b": "OpDot",
      "OpX/y": "Small",
      "Row#line-no": "line",
    };
    expect(renamed(pins)).toEqual({});
    const parts = buildParts({ definitions, partNames: pins });
    expect(parts.get("Op")).toMatchObject({
      values: [{ name: "OpMinus" }, { name: "OpDot" }, {}, {}],
    });
    expect((parts.get("Row") as RecordPart).words.get("line-no")).toEqual(["line"]);
  });

  test("are errors in a schema of ours, with the pin that settles them", () => {
    const source = protocolOf({ Op: { type: "string", enum: ["a-b", "a.b"] } });
    const build = (partNames: Protocol["partNames"]): Protocol =>
      buildProtocol(compose({ ...source, partNames }, []), {
        ...{ name: "test", title: "Test", description: "A test." },
      });
    expect(() => refuseClashes([build({})])).toThrow(
      'Choose one: "Op/a-b": "OpAMinusB" in schema/part-names.json',
    );
    expect(() => refuseClashes([build({ "Op/a-b": "OpMinus" })])).not.toThrow();
  });
});

describe("parts", () => {
  test.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
    "of %s hold neither objects nor unions, and refer to parts only",
    (_, protocol) => {
      const parts = buildParts(protocol);
      const wrong: string[] = [];
      for (const part of parts.values())
        for (const shape of shapesOf(part))
          visitShape(shape, {
            reference: (name) => parts.has(name) || wrong.push(`${part.name}: ${name}`),
            enter: ({ kind }) => {
              if (["object", "tagged", "union"].includes(kind)) wrong.push(`${part.name}: ${kind}`);
              return true;
            },
          });
      expect(wrong).toEqual([]);
    },
  );

  test("a variant whose body is a union becomes one record for each of its variants", () => {
    const parts = partsOf([
      definition("Update", {
        kind: "tagged",
        tag: "type",
        shared: [field("id")],
        variants: [{ value: "state", description: "", body: reference("State") }],
      }),
      definition("State", {
        kind: "tagged",
        tag: "state",
        shared: [],
        variants: [{ value: "idle", description: "", body: reference("Idle") }],
      }),
      definition("Idle", { kind: "object", fields: [field("reason")] }),
    ]);
    expect(parts.get("UpdateStateIdle")).toMatchObject({
      kind: "record",
      base: "Idle",
      tags: [
        { name: "type", value: "state" },
        { name: "state", value: "idle" },
      ],
      fields: [{ name: "id" }],
    });
  });

  test("a variant requires what stands beside it, also where it is optional in itself", () => {
    const optional = { ...field("id"), required: false };
    const inline: Shape = { kind: "object", fields: [optional] };
    const parts = partsOf([
      definition("Named", { kind: "object", fields: [optional, field("name")] }),
      definition("Item", {
        kind: "union",
        exclusive: false,
        shared: [field("id")],
        variants: [inline, reference("Named")].map((shape, index) => ({
          ...{ name: `one ${index}`, description: "", slot: { shape, nullable: false } },
        })),
      }),
    ]);
    const required = { name: "id", required: true };
    expect(parts.get("ItemOne0")).toMatchObject({ fields: [required] });
    expect(parts.get("ItemOne1")).toMatchObject({ fields: [required, { name: "name" }] });
    expect(parts.get("ItemOne1")).not.toHaveProperty("base");
  });

  test("an object inside an object has a name of its own", () => {
    const inner: Shape = { kind: "object", fields: [field("line")] };
    const parts = partsOf([
      definition("Edit", { kind: "object", fields: [{ ...field("range"), shape: inner }] }),
    ]);
    expect([...parts.keys()]).toEqual(["EditRange", "Edit"]);
    expect(parts.get("Edit")).toMatchObject({ fields: [{ shape: reference("EditRange") }] });
  });
});

function partsOf(definitions: readonly Definition[]): ReadonlyMap<string, Part> {
  return buildParts({ definitions, partNames: {} });
}

function shapesOf(part: Part): readonly Shape[] {
  switch (part.kind) {
    case "record":
      return part.fields.map(({ shape }) => shape);
    case "union":
      return part.alternatives.map(({ shape }) => shape);
    case "alias":
      return [part.shape];
    case "choice":
      return part.cases.map(({ part: name }) => reference(name));
  }
}

function definition(name: string, shape: Shape): Definition {
  const text = { description: "", area: "", envelope: false, messages: [], examples: [] };
  return { name, identifier: name, shape, ...text };
}

function field(name: string): Field {
  return {
    name,
    shape: STRING,
    nullable: false,
    description: "",
    required: true,
    decode: { defaultOnError: false, defaultOnNull: false, skipInvalidItems: false },
    variantGates: {},
  };
}

function reference(name: string): Shape {
  return { kind: "reference", name };
}
