import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  checkBridges,
  findUnusedEntries,
} from "../../../../../generators/model/bridge/check-bridge.js";
import type { Protocol } from "../../../../../generators/model/protocol.js";
import type { Field } from "../../../../../generators/model/shape.js";
import { lintPaths } from "../../../../../generators/run/lint/lint.js";
import { loadBridge } from "../../../../../generators/schema/bridge/load-bridge.js";
import { formatProblem, type InputError } from "../../../../../generators/schema/problem.js";
import { temporaryFolder } from "../../../../support/temporary-folder.js";
import { protocolOf, SCHEMA } from "../corpus.js";

const PROFILES = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable", "v2-full"];
const protocols = PROFILES.map(protocolOf);
const folder = temporaryFolder();
cpSync(join(SCHEMA, "dialect"), join(folder, "schema/dialect"), { recursive: true });

/** An entry of the mapping, as far as the tests change it. */
interface Entry {
  [section: string]: { [name: string]: unknown };
}

type Change = (document: {
  definitions: Record<string, Entry>;
  methods: Record<string, Entry>;
}) => void;

/** Returns the problems of the mapping with one file changed. */
function problems(file: string, change: Change): readonly string[] {
  cpSync(join(SCHEMA, "bridge"), join(folder, "schema/bridge"), { recursive: true });
  const path = join(folder, "schema/bridge", `${file}.json`);
  const document = JSON.parse(readFileSync(path, "utf8")) as Parameters<Change>[0];
  change(document);
  writeFileSync(path, JSON.stringify(document));
  try {
    const source = loadBridge(join(folder, "schema"))!;
    const { problems: found } = checkBridges(source, protocols);
    return [...found, ...findUnusedEntries(source, protocols)].map(formatProblem);
  } catch (error) {
    return (error as InputError).problems.map(formatProblem);
  }
}

const TEXT = { kind: "scalar", type: "string" } as const;

/** Returns the problems of the mapping with other fields of a definition of version 2. */
function problemsWith(change: (fields: readonly Field[]) => readonly Field[]): readonly string[] {
  const changed = protocols.map((protocol): Protocol => {
    if (protocol.version !== "v2") return protocol;
    const definitions = protocol.definitions.map((definition) => {
      const { name, shape } = definition;
      if (name !== "TextContent" || shape.kind !== "object") return definition;
      return { ...definition, shape: { ...shape, fields: change(shape.fields) } };
    });
    return { ...protocol, definitions };
  });
  return checkBridges(loadBridge(SCHEMA)!, changed).problems.map(({ message }) => message);
}

describe("the mapping between the versions", () => {
  test("covers all pairs of profiles, and every entry has an effect", () => {
    expect(problems("content", () => {})).toEqual([]);
    const { bridges } = checkBridges(loadBridge(SCHEMA)!, protocols);
    expect(bridges.map(({ v1, v2 }) => `${v1.profile} ${v2.profile}`)).toEqual([
      "v1 v2",
      "v1-unstable v2-unstable",
      "v1-full v2-full",
    ]);
  });

  test.each([
    [
      "a property",
      "content definitions ResourceLink properties icons",
      'ResourceLink of v2: the property "icons" has no counterpart',
    ],
    [
      "a variant",
      "session-updates definitions SessionUpdate variants state_update",
      'SessionUpdate of v2: the variant "state_update" has no counterpart',
    ],
    [
      "a value",
      "tool-calls definitions ToolCallStatus values cancelled",
      'ToolCallStatus of v2: the value "cancelled" has no counterpart',
    ],
    [
      "unknown values",
      "plan definitions PlanEntryPriority",
      "PlanEntryPriority of v2: unknown values have no counterpart",
    ],
    [
      "a method",
      "terminals methods fs/read_text_file",
      "the method fs/read_text_file of v1 has no counterpart",
    ],
    [
      "narrower limits",
      "content definitions ResourceLink properties size",
      "ResourceLink/size has narrower limits in the other version",
    ],
    [
      "a required property",
      "json-rpc definitions RequestId",
      "the alternative Null has no counterpart",
    ],
  ])("must name %s", (_, entry, message) => {
    const [file, ...path] = entry.split(" ");
    const last = path.pop()!;
    const found = problems(file!, (document) => {
      const holder = path.reduce<unknown>((at, name) => (at as Entry)[name], document) as Entry;
      delete holder[last];
    });
    expect(found.join("\n")).toContain(message);
    expect(found[0]).toMatch(/^schema\/(bridge|v1|v2|shared)/);
  });

  test("has no entry that no profile needs", () => {
    const found = problems("content", ({ definitions }) => {
      definitions["TextContent"] = { properties: { txt: { rename: "words" } } };
    });
    expect(found).toEqual([
      expect.stringContaining(
        "schema/bridge/content.json#/definitions/TextContent/properties/txt: the entry has no effect",
      ),
    ]);
  });

  test("follows its dialect", () => {
    const found = problems("content", ({ definitions }) => {
      definitions["Role"] = { vals: {} };
    });
    expect(found).toEqual([
      expect.stringContaining(
        'schema/bridge/content.json#/definitions/Role/vals: unknown keyword "vals". Did you mean "values"?',
      ),
    ]);
  });

  test("has one entry for a definition", () => {
    const found = problems("content", ({ definitions }) => {
      definitions["Diff"] = {};
    });
    expect(found).toEqual([
      expect.stringContaining('"Diff" has an entry in schema/bridge/content.json as well'),
    ]);
  });

  test("notices a property that a version gains", () => {
    const found = problemsWith((fields) => [
      ...fields,
      { ...fields[0]!, name: "language", required: false },
    ]);
    expect(found).toEqual(['TextContent of v2: the property "language" has no counterpart']);
  });

  test.each([{ pattern: "^[A-Z]" }, { minLength: 1 }, { maxLength: 9 }])(
    "notices a text that a version limits: %o",
    (limit) => {
      const found = problemsWith((fields) =>
        fields.map((field) =>
          field.name === "text" ? { ...field, shape: { ...TEXT, ...limit } } : field,
        ),
      );
      const narrower =
        "TextContent of v1: TextContent/text has narrower limits in the other version";
      expect(found).toEqual([`${narrower}: ${JSON.stringify(limit)}`]);
    },
  );

  test("is part of lint", () => {
    const { findings } = lintPaths({ schemaDirectory: SCHEMA });
    expect(findings.filter(({ rule }) => rule === "bridge-complete")).toEqual([]);
  });
});
