import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { diff } from "../../../../generators/run/diff.js";
import { follow } from "../../../../bin/follow/follow.js";
import { publishSchema } from "../../../../generators/schema/compose/publish.js";
import { ROOT } from "../../../support/paths.js";
import { composed, sources } from "../canonical.js";

/** Documents are edited as people edit them: as plain data. */
// eslint-disable-next-line -- a document of any form
type Data = any;

/** One change of a new upstream release: what it does to a definition, and where it shows. */
interface Change {
  readonly what: string;
  readonly definition: string;
  readonly edit: (definition: Data) => void;
  /** Places that the comparison must name. */
  readonly pointers: readonly string[];
}

const CHANGES: readonly Change[] = [
  {
    what: "a new property",
    definition: "Implementation",
    edit: (d) => (d.properties.homepage = { type: "string", description: "Its page." }),
    pointers: ["/$defs/Implementation/properties/homepage"],
  },
  {
    what: "a removed property",
    definition: "Annotations",
    edit: (d) => delete d.properties.lastModified,
    pointers: ["/$defs/Annotations/properties/lastModified"],
  },
  {
    what: "another type",
    definition: "Diff",
    edit: (d) => (d.properties.newText.type = ["string", "null"]),
    pointers: ["/$defs/Diff/properties/newText/type"],
  },
  {
    what: "a property that became required",
    definition: "ResourceLink",
    edit: (d) => d.required.push("mimeType"),
    pointers: ["/$defs/ResourceLink/required"],
  },
  {
    what: "a property that became optional",
    definition: "HttpHeader",
    edit: (d) => (d.required = ["name"]),
    pointers: ["/$defs/HttpHeader/required"],
  },
  {
    what: "a new value of an enumeration",
    definition: "ToolKind",
    edit: (d) => d.oneOf.push({ type: "string", const: "deploy", description: "Deploys." }),
    pointers: ["/$defs/ToolKind/oneOf/variants/deploy"],
  },
  {
    what: "a removed value",
    definition: "StopReason",
    edit: (d) => (d.oneOf = d.oneOf.filter((v: Data) => v.const !== "refusal")),
    pointers: ["/$defs/StopReason/oneOf/variants/refusal"],
  },
  {
    what: "an enumeration that became open",
    definition: "Role",
    edit: (d) => {
      d.anyOf = [...d.oneOf, { title: "other", type: "string", description: "Other." }];
      delete d.oneOf;
    },
    pointers: ["/$defs/Role/anyOf", "/$defs/Role/oneOf"],
  },
  {
    what: "another default",
    definition: "FileSystemCapabilities",
    edit: (d) => (d.properties.readTextFile.default = true),
    pointers: ["/$defs/FileSystemCapabilities/properties/readTextFile/default"],
  },
  {
    what: "a new constraint",
    definition: "SessionId",
    edit: (d) => (d.minLength = 1),
    pointers: ["/$defs/SessionId/minLength"],
  },
  {
    what: "another constraint",
    definition: "ProtocolVersion",
    edit: (d) => (d.maximum = 255),
    pointers: ["/$defs/ProtocolVersion/maximum"],
  },
  {
    what: "another format",
    definition: "Cost",
    edit: (d) => delete d.properties.amount.format,
    pointers: ["/$defs/Cost/properties/amount/format"],
  },
  {
    what: "a new decode flag",
    definition: "PlanEntry",
    edit: (d) => (d.properties.content["x-deserialize-default-on-error"] = true),
    pointers: ["/$defs/PlanEntry/properties/content/x-deserialize-default-on-error"],
  },
  {
    what: "a removed decode flag",
    definition: "SessionInfo",
    edit: (d) => delete d.properties.additionalDirectories["x-deserialize-skip-invalid-items"],
    pointers: [
      "/$defs/SessionInfo/properties/additionalDirectories/x-deserialize-skip-invalid-items",
    ],
  },
  {
    what: "other items",
    definition: "StringMultiSelectItems",
    edit: (d) => (d.properties.enum.items = { type: "integer" }),
    pointers: ["/$defs/StringMultiSelectItems/properties/enum/items/type"],
  },
  {
    what: "a list that must not be empty",
    definition: "PromptRequest",
    edit: (d) => (d.properties.prompt.minItems = 1),
    pointers: ["/$defs/PromptRequest/properties/prompt/minItems"],
  },
  {
    what: "a new variant",
    definition: "ToolCallContent",
    edit: (d) =>
      d.oneOf.push({
        type: "object",
        properties: { type: { type: "string", const: "link" } },
        required: ["type"],
        allOf: [{ $ref: "#/$defs/ResourceLink" }],
        description: "A link.",
      }),
    pointers: ["/$defs/ToolCallContent/oneOf/variants/link"],
  },
  {
    what: "another title of a variant without a tag",
    definition: "EmbeddedResourceResource",
    edit: (d) => (d.anyOf[0].title = "text"),
    pointers: [
      "/$defs/EmbeddedResourceResource/anyOf/variants/TextResourceContents",
      "/$defs/EmbeddedResourceResource/anyOf/variants/text",
    ],
  },
  {
    what: "a map that became a list",
    definition: "AuthMethodTerminal",
    edit: (d) => {
      delete d.properties.env.additionalProperties;
      d.properties.env.type = "array";
      d.properties.env.items = { type: "string" };
    },
    pointers: [
      "/$defs/AuthMethodTerminal/properties/env/additionalProperties",
      "/$defs/AuthMethodTerminal/properties/env/items",
      "/$defs/AuthMethodTerminal/properties/env/type",
    ],
  },
  {
    what: "a new definition",
    definition: "Checksum",
    edit: () => {},
    pointers: ["/$defs/Checksum"],
  },
];

const folder = mkdtempSync(join(tmpdir(), "acp-following-"));
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
    for (const { definition, edit } of CHANGES)
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
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a new upstream release with 20 changes", () => {
  test("shows every one of them, and otherwise only the defaults that follow", () => {
    expect(CHANGES).toHaveLength(20);
    const expected = CHANGES.flatMap(({ pointers }) => pointers);
    const follow = [
      "/$defs/ClientCapabilities/properties/fs/default/readTextFile",
      "/$defs/InitializeRequest/properties/clientCapabilities/default/fs/readTextFile",
    ];
    expect(before.map(({ pointer }) => pointer).sort()).toEqual([...expected, ...follow].sort());
  });

  test("is followed by the command alone", async () => {
    const { changed, differences } = await follow({ schemas: release, digests: new Map() }, schema);
    expect([...differences.values()]).toEqual([[], [], [], []]);
    expect(changed.length).toBeGreaterThan(10);
  });
});
