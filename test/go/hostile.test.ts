import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { JsonSchema } from "../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../generators/emit/small-protocol.js";
import { SHAPES, VALUES } from "../hostile/shapes.js";
import { NAUGHTY, OWN } from "../hostile/strings.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { buildCodec } from "./build-codec.js";
import { goTest } from "./go-test.js";
import { run, runGo, writeModule } from "./toolchain.js";

/** Texts that aim at Go. */
const GO = [
  "`",
  "` + panic(1) + `",
  "*/",
  "//go:generate rm",
  "//line x.go:1",
  "\n//go:embed x\n",
  '"\n}\nfunc init() { panic(1) }\n',
  "# heading",
  "[link]: https://example.com",
  "1. one\n2. two",
  "- one\n- two\ntext",
  "\tcode",
  "\\U00000041\\x41",
  "%v %!s",
  "+build ignore",
];
const TEXTS = [...GO, ...OWN, ...NAUGHTY.filter((_, index) => index % 5 === 0)];

const folder = temporaryFolder();

/** Writes the module of a few definitions and checks that the tools of Go leave it as it is. */
async function writeClean(
  name: string,
  definitions: { readonly [name: string]: JsonSchema },
): Promise<string> {
  const module = await writeModule(join(folder, name), smallProtocol({ definitions }));
  expect(runGo(["gofmt", "-d", "."], { cwd: module })).toEqual({ code: 0, out: "", err: "" });
  expect(runGo(["vet", "./..."], { cwd: module })).toEqual({ code: 0, out: "", err: "" });
  return module;
}

/** Prints the kinds of declarations of a file and its strings. */
const READ = `package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
)

func main() {
	file, err := parser.ParseFile(token.NewFileSet(), "", os.Stdin, 0)
	if err != nil {
		panic(err)
	}
	var texts []string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value)
			texts = append(texts, text)
		}
		return true
	})
	var functions []string
	for _, one := range file.Decls {
		if function, ok := one.(*ast.FuncDecl); ok {
			functions = append(functions, function.Name.Name)
		}
	}
	json.NewEncoder(os.Stdout).Encode([][]string{texts, functions})
}
`;

goTest(
  "texts of a schema are texts in Go, wherever they stand",
  async () => {
    const module = await writeClean("texts", {
      Text: { type: "string", description: TEXTS.join("\n\n") },
      Choice: { type: "string", enum: TEXTS, description: "Texts." } as JsonSchema,
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
    const program = join(folder, "read.go");
    writeFileSync(program, READ);
    const { out, err } = runGo(["run", program], {
      input: readFileSync(join(module, "acpsmall/decoders.go"), "utf8"),
    });
    expect(err).toBe("");
    const [texts, functions] = JSON.parse(out) as [string[], string[]];
    expect(functions.filter((name) => !/^(decode|read)\w+$/.test(name))).toEqual([]);
    const found = new Set(texts);
    // encoding/json prints halves of pairs otherwise.
    const expected = TEXTS.filter((text) => text !== "" && !/\p{Surrogate}/u.test(text));
    expect(expected.filter((text) => !found.has(text))).toEqual([]);
  },
  180_000,
);

describe("names that Go or the module has", () => {
  const names =
    `func string nil Extra received MarshalJSON UnmarshalJSON a-b a_b aB 1x _ acp codec json len v d m e ok name seen
    error ID id`.split(/\s+/);
  const types = "Value Unknown Decode Encode Validate Version Schema Acp Json String Error".split(
    " ",
  );
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const object = {
    type: "object",
    description: "A thing.",
    properties,
    required: names,
  } as JsonSchema;
  const recursive: { readonly [name: string]: JsonSchema } = {
    Itself: {
      type: "object",
      description: "An object that needs itself.",
      properties: { own: { $ref: "#/$defs/Itself" } },
      required: ["own"],
    },
    Lists: { type: "array", description: "Lists of lists.", items: { $ref: "#/$defs/Lists" } },
  };

  goTest(
    "and every shape are compiled, with the verdicts of ajv",
    async () => {
      const definitions = {
        ...SHAPES,
        ...recursive,
        ...Object.fromEntries(
          types.filter((name) => !(name in SHAPES)).map((name) => [name, object]),
        ),
      };
      const module = await writeClean("names", definitions);
      const protocol = smallProtocol({ definitions });
      const program = buildCodec(folder, [protocol], module);
      const value = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
      const cases: (readonly [string, unknown])[] = [
        ...VALUES,
        ...types.filter((name) => !(name in SHAPES)).map((name) => [name, value] as const),
        ["Value", { ...value, id: 1 }],
        ["Itself", { own: { own: {} } }],
        ["Lists", [[], [[]]]],
        ["Lists", [[1]]],
      ];
      const reference = new Ajv2020({
        strict: false,
        validateFormats: false,
        allErrors: true,
        ownProperties: true,
      });
      reference.addSchema(protocol.schema, "all");
      const requests = cases.map(([definition, input], id) =>
        JSON.stringify({
          id,
          op: "validate",
          profile: "small",
          definition,
          input: JSON.stringify(input),
        }),
      );
      const { out, err } = run(program, [], { input: `${requests.join("\n")}\n` });
      expect(err).toBe("");
      const verdicts = out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as Answer).verdict === "ok");
      expect(verdicts).toEqual(
        cases.map(([name, input]) => reference.validate(`all#/$defs/${name}`, input)),
      );
    },
    180_000,
  );
});

interface Answer {
  readonly verdict: string;
}
