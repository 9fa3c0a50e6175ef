import { expect } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { NAUGHTY, OWN } from "../../hostile/strings.js";
import { pythonTest, runPython } from "../run-python.js";
import { compileSchema, runWithSchemas } from "./small-package.js";

/** Texts that aim at Python. */
const PYTHON = ['"""', "'''", '\\"""', '"', "\\", '"""\nimport os\nos.abort()\n"""', "\\N{DEL}"];
const TEXTS = [...PYTHON, ...OWN, ...NAUGHTY.filter((_, index) => index % 5 === 0)];

/** Prints the kinds of statements of each file, the docstrings, and the strings. */
const READ = `
import ast, json, sys
for path, text in json.load(sys.stdin).items():
    tree = ast.parse(text, path)
    kinds = sorted({type(one).__name__ for one in tree.body})
    strings = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    print(json.dumps([path, kinds, strings]))
`;

pythonTest("texts of a schema are texts in Python, wherever they stand", async () => {
  const files = await compileSchema({
    Text: { type: "string", description: TEXTS.join("\n\n") },
    ...Object.fromEntries(
      TEXTS.map((text, index): [string, JsonSchema] => [
        `Object${index}`,
        {
          type: "object",
          description: text,
          properties: { [text || "empty"]: { $ref: "#/$defs/Text", description: text } },
        },
      ]),
    ),
  });
  const { out, err } = runPython(["-c", READ], JSON.stringify(files));
  expect(err).toBe("");
  const read = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [string, string[], string[]]);
  const kindsOf = (name: string): string[] => read.find(([path]) => path.endsWith(name))![1];
  expect(kindsOf("types.py")).toEqual(["AnnAssign", "ClassDef", "Expr", "ImportFrom"]);
  expect(kindsOf("_decoders.py")).toEqual([
    "AnnAssign",
    "Assign",
    "Expr",
    "FunctionDef",
    "ImportFrom",
  ]);
  const literals = new Set(read.find(([path]) => path.endsWith("_decoders.py"))![2]);
  const missing = TEXTS.filter((text) => text !== "" && !literals.has(text));
  expect(missing).toEqual([]);
});

pythonTest("names that Python reserves or that clash are imported and decoded", async () => {
  const names = [
    "class",
    "list",
    "extra",
    "def",
    "a-b",
    "a_b",
    "self",
    "None",
    "__init__",
    "1x",
    "v",
    "m",
    "Open",
    "field",
    "final",
    "cls",
  ];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const object: JsonSchema = { type: "object", properties, required: names } as JsonSchema;
  const files = await compileSchema({
    Message: object,
    Any: object,
    Schema: object,
    Open: object,
    field: object,
    final: object,
  });
  const value = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  const program = `
for name in ("Message_", "Any_", "Schema_", "Open_", "field_", "final_"):
    schema = getattr(schemas, name)
    value = schema.parse(given)
    assert schema.encode(value) == given
    assert type(value)(**{name: getattr(value, name) for name in value.__match_args__}) == value
print("same")
`;
  const { out, err } = runWithSchemas(files, program, value);
  expect(err).toBe("");
  expect(out).toBe("same\n");
});

pythonTest("a schema without objects, and unions of nulls, are imported and decoded", async () => {
  const empty: JsonSchema = { type: "null" };
  const nulls = { anyOf: [{ $ref: "#/$defs/None1" }, { $ref: "#/$defs/None2" }] };
  const files = await compileSchema({
    None1: empty,
    None2: empty,
    Either: { anyOf: [...nulls.anyOf, { type: "array", items: nulls }] } as JsonSchema,
    Text: { type: "string" },
  });
  const program = `
assert schemas.Either.encode(schemas.Either.parse([None])) == [None]
assert schemas.Either.parse(None) is None and not schemas.Either.is_valid(1)
print("same")
`;
  const { out, err } = runWithSchemas(files, program, null);
  expect(err).toBe("");
  expect(out).toBe("same\n");
});
