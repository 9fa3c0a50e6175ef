import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { diff } from "../../../../generators/run/diff.js";
import { followRelease } from "../../../../bin/follow/follow.js";
import { publishSchema } from "../../../../generators/schema/compose/publish.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { composed, sources } from "../canonical.js";

/** Documents are edited as people edit them: as plain data. */
// eslint-disable-next-line -- a document of any form
type Data = any;

/** A definition, what a new upstream release does to it, and where in it the comparison must show that. */
type Change = readonly [
  definition: string,
  edit: (definition: Data) => void,
  ...pointers: readonly string[],
];

const CHANGES: { readonly [what: string]: Change } = {
  "a new property": [
    "Implementation",
    (d) => (d.properties.homepage = { type: "string", description: "Its page." }),
    "/properties/homepage",
  ],
  "a removed property": [
    "Annotations",
    (d) => delete d.properties.lastModified,
    "/properties/lastModified",
  ],
  "another type": [
    "Diff",
    (d) => (d.properties.newText.type = ["string", "null"]),
    "/properties/newText/type",
  ],
  "a property that became required": [
    "ResourceLink",
    (d) => d.required.push("mimeType"),
    "/required",
  ],
  "a property that became optional": ["HttpHeader", (d) => (d.required = ["name"]), "/required"],
  "a new value of an enumeration": [
    "ToolKind",
    (d) => d.oneOf.push({ type: "string", const: "deploy", description: "Deploys." }),
    "/oneOf/variants/deploy",
  ],
  "a removed value": [
    "StopReason",
    (d) => (d.oneOf = d.oneOf.filter((v: Data) => v.const !== "refusal")),
    "/oneOf/variants/refusal",
  ],
  "an enumeration that became open": [
    "Role",
    (d) => {
      d.anyOf = [...d.oneOf, { title: "other", type: "string", description: "Other." }];
      delete d.oneOf;
    },
    "/anyOf",
    "/oneOf",
  ],
  "another default": [
    "FileSystemCapabilities",
    (d) => (d.properties.readTextFile.default = true),
    "/properties/readTextFile/default",
  ],
  "a new constraint": ["SessionId", (d) => (d.minLength = 1), "/minLength"],
  "another constraint": ["ProtocolVersion", (d) => (d.maximum = 255), "/maximum"],
  "another format": ["Cost", (d) => delete d.properties.amount.format, "/properties/amount/format"],
  "a new decode flag": [
    "PlanEntry",
    (d) => (d.properties.content["x-deserialize-default-on-error"] = true),
    "/properties/content/x-deserialize-default-on-error",
  ],
  "a removed decode flag": [
    "SessionInfo",
    (d) => delete d.properties.additionalDirectories["x-deserialize-skip-invalid-items"],
    "/properties/additionalDirectories/x-deserialize-skip-invalid-items",
  ],
  "other items": [
    "StringMultiSelectItems",
    (d) => (d.properties.enum.items = { type: "integer" }),
    "/properties/enum/items/type",
  ],
  "a list that must not be empty": [
    "PromptRequest",
    (d) => (d.properties.prompt.minItems = 1),
    "/properties/prompt/minItems",
  ],
  "a new variant": [
    "ToolCallContent",
    (d) =>
      d.oneOf.push({
        type: "object",
        properties: { type: { type: "string", const: "link" } },
        required: ["type"],
        allOf: [{ $ref: "#/$defs/ResourceLink" }],
        description: "A link.",
      }),
    "/oneOf/variants/link",
  ],
  "another title of a variant without a tag": [
    "EmbeddedResourceResource",
    (d) => (d.anyOf[0].title = "text"),
    "/anyOf/variants/TextResourceContents",
    "/anyOf/variants/text",
  ],
  "a map that became a list": [
    "AuthMethodTerminal",
    (d) => {
      delete d.properties.env.additionalProperties;
      d.properties.env.type = "array";
      d.properties.env.items = { type: "string" };
    },
    "/properties/env/additionalProperties",
    "/properties/env/items",
    "/properties/env/type",
  ],
  "a new definition": ["Checksum", () => {}, ""],
};

const folder = temporaryFolder();
const schema = join(folder, "schema");
const NEW_DEFINITION = { description: "A checksum.", type: "string" };
const PROFILES = ["v1", "v1-unstable"];
/** The published schemas of version 1 with the changes. */
const release = new Map<string, JsonSchema>();
let before: readonly { readonly pointer: string }[];

beforeAll(async () => {
  for (const profile of PROFILES) {
    const { protocol, features } = sources.profiles.get(profile)!;
    const published = structuredClone(publishSchema(composed(protocol, features))) as Data;
    release.set(profile, published);
    for (const [definition, edit] of Object.values(CHANGES))
      edit((published.$defs[definition] ??= NEW_DEFINITION));
    // Defaults of references follow what they refer to, in a release as well as here.
    published.$defs.ClientCapabilities.properties.fs.default.readTextFile = true;
    published.$defs.InitializeRequest.properties.clientCapabilities.default.fs.readTextFile = true;
  }
  const file = join(folder, "release.json");
  writeFileSync(file, JSON.stringify(release.get("v1")));
  cpSync(join(ROOT, "schema"), schema, { recursive: true });
  before = (await diff("v1", file, schema)).changes;
});
describe("a new upstream release with 20 changes", () => {
  test("shows every one of them, and otherwise only the defaults that follow", () => {
    expect(Object.keys(CHANGES)).toHaveLength(20);
    const expected = Object.values(CHANGES).flatMap(([definition, , ...pointers]) =>
      pointers.map((pointer) => `/$defs/${definition}${pointer}`),
    );
    const follow = [
      "/$defs/ClientCapabilities/properties/fs/default/readTextFile",
      "/$defs/InitializeRequest/properties/clientCapabilities/default/fs/readTextFile",
    ];
    expect(before.map(({ pointer }) => pointer).sort()).toEqual([...expected, ...follow].sort());
  });

  test("is followed by the command alone", async () => {
    const { changed, differences } = await followRelease(
      { schemas: release, digests: new Map() },
      schema,
    );
    expect([...differences.values()]).toEqual([[], [], [], []]);
    expect(changed.length).toBeGreaterThan(10);
  });
});
