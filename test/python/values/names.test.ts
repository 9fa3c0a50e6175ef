import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { compose } from "../../../generators/schema/compose.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../../generators/emit/small-protocol.js";
import { featureOf, notificationOf } from "../../generators/schema/sources.js";
import { ROOT } from "../../support/paths.js";
import { SHAPES, VALUES } from "../../hostile/shapes.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { HAS_PYTHON } from "../python-env.js";
import { runPython } from "../run-python.js";
import { compilePackage, compileSchema, runWithSchemas } from "./small-package.js";

/*
 * Definitions and properties with the names that generated modules import, declare or take from
 * the language. The names come from the modules themselves, so that none can be forgotten.
 */

const folder = temporaryFolder();
const testMypy = test.runIf(HAS_PYTHON && runPython(["-c", "import mypy"]).code === 0);

function expectNoTypeErrors(files: { readonly [path: string]: string }, profile: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const module = join(folder, "python/acp_bindings", profile);
  const { out } = runPython(["-m", "mypy", "--strict", "--no-incremental", module]);
  expect(out).toMatch(/^Success/);
}

const thing = (): JsonSchema => ({
  description: "A thing.",
  type: "object",
  properties: { a: { description: "A text.", type: "string" } },
  required: ["a"],
});

/** Decodes and encodes values, and makes each object of \`Members\` again with its constructor. */
const CHECK = `
from acp_bindings.small import types

verdicts = []
for definition, value in given:
    schema = getattr(schemas, definition, None) or getattr(schemas, definition + "_")
    decoded = schema.decode(value)
    verdicts.append(schema.is_valid(value))
    if verdicts[-1]:
        again = schema.decode(schema.encode(decoded.value))
        assert again.value == decoded.value, (definition, value)
    if definition == "Members" and verdicts[-1]:
        attributes = {name: getattr(decoded.value, name) for name in types.Members.__match_args__}
        assert len(attributes) == len(value)
        assert types.Members(**attributes) == decoded.value
print(json.dumps(verdicts))
`;

describe.skipIf(!HAS_PYTHON)(
  "in Python, definitions and properties with the names of the generated modules",
  async () => {
    const own = Object.entries(await compileSchema(SHAPES)).filter(([path]) =>
      /\/(small\/\w+|message)\.py$/.test(path),
    );
    const found = runPython(
      ["test/python/programs/names_in.py"],
      JSON.stringify(own.map(([, text]) => text)),
      { PYTHONPATH: "out/python" },
    );
    const { names: all, members } = JSON.parse(found.out) as { names: string[]; members: string[] };
    const names = all.filter((name) => /^[A-Za-z]\w*$/.test(name) && !(name in SHAPES));
    const properties = all.map(
      (name) => [name, { description: "A text.", type: "string" }] as const,
    );
    const definitions: { readonly [name: string]: JsonSchema } = {
      ...SHAPES,
      ...Object.fromEntries(names.map((name) => [name, thing()])),
      Everything: {
        description: "An object with a property of each type.",
        type: "object",
        properties: Object.fromEntries(
          names.map((name, index) => [
            `p${index}`,
            { description: "A thing.", $ref: `#/$defs/${name}` },
          ]),
        ),
      },
      lower: {
        description: "An object with a property of the name of its type.",
        type: "object",
        properties: { lower: { description: "An object.", $ref: "#/$defs/lower" } },
      },
      Members: {
        description: "An object with a property of each name.",
        type: "object",
        properties: Object.fromEntries(properties),
        required: properties.map(([name]) => name),
      },
    };
    const files = await compileSchema(definitions);

    test("have the verdicts of ajv", () => {
      const reference = new Ajv2020({
        strict: false,
        validateFormats: false,
        allErrors: true,
        ownProperties: true,
      });
      reference.addSchema(smallProtocol({ definitions }).schema, "all");
      const members = Object.fromEntries(properties.map(([name]) => [name, "x"]));
      const cases = [
        ...VALUES,
        ...names.flatMap((_, index) =>
          [{ a: "a" }, { a: 1 }].map((value) => ["Everything", { [`p${index}`]: value }] as const),
        ),
        ["Members", members] as const,
        ["Members", { ...members, self: 1 }] as const,
      ];
      const { out, err } = runWithSchemas(files, CHECK, cases);
      expect(err).toBe("");
      const expected = cases.map(([name, value]) =>
        reference.validate(`all#/$defs/${name}`, value),
      );
      expect(JSON.parse(out)).toEqual(expected);
    });

    testMypy("are clean under mypy", () => expectNoTypeErrors(files, "small"));

    testMypy("methods of a vendor with the names of members hide none of them", async () => {
      const { protocols, profiles } = loadSources(join(ROOT, "schema"));
      const v1 = protocols.get("v1")!;
      const listed = members.filter((name) => /^[a-z]/.test(name));
      const methods = listed.flatMap((name) =>
        (["agent", "client"] as const).map((side) =>
          notificationOf(`_${name}`, side, "CancelNotification"),
        ),
      );
      const vendor = featureOf("vendor", { status: "vendor", methods });
      const protocol = buildProtocol(
        compose({ ...v1, features: new Map([["vendor", vendor]]) }, ["vendor"]),
        { ...profiles.get("v1")!, name: "vendor" },
      );
      const compiled = await compilePackage(protocol);
      expect(compiled["python/acp_bindings/vendor/roles.py"]).toContain(
        "async def session_prompt_(",
      );
      expectNoTypeErrors(compiled, "vendor");
    });
  },
);
