import type { UnknownSchema } from "acp-bindings";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../generators/compile.js";
import { ajv } from "../../../generators/emit/typescript/ajv.js";
import { schemas } from "../../../generators/emit/typescript/schemas/schemas.js";
import { roles } from "../../../generators/emit/typescript/roles/roles.js";
import { mocks } from "../../../generators/emit/typescript/mocks/mocks.js";
import { types } from "../../../generators/emit/typescript/types/types.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { definitionIdentifiers } from "../../../generators/model/identifiers.js";
import { compose } from "../../../generators/schema/compose.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { InputError } from "../../../generators/schema/problem.js";
import type { MethodSource } from "../../../generators/schema/source/sources.js";
import { createCodeFolder } from "../../support/code-folder.js";
import { NAUGHTY, OWN } from "../../hostile/strings.js";
import { protocolOf, requestOf } from "../schema/sources.js";
import { IS_DEEP } from "../../support/deep.js";

/** The quick run takes every fourth string of the public list; `IS_DEEP` takes all. */
const STRINGS = [...NAUGHTY.filter((_, index) => IS_DEEP || index % 4 === 0), ...OWN].filter(
  (text) => text !== "",
);

/** One definition a string and shape, with the string in every place where text can stand. */
const definitions: { [name: string]: JsonSchema } = {};
const methods: MethodSource[] = [];
STRINGS.forEach((text, index) => {
  definitions[`Object${index}`] = {
    title: text,
    description: text,
    $comment: text,
    examples: [text],
    type: "object",
    properties: {
      [text]: { type: "string", title: text, description: text, default: text, examples: [text] },
    },
    required: [text],
  };
  definitions[`Enum${index}`] = {
    oneOf: [{ type: "string", const: text, title: text, description: text }],
  };
  definitions[`Union${index}`] = {
    description: text,
    anyOf: [
      {
        description: text,
        type: "object",
        properties: { [text]: { type: "string", const: text } },
        required: [text],
      },
      {
        title: text,
        description: text,
        type: "object",
        properties: { [text]: { type: "string" } },
        required: [text],
      },
    ],
  };
  const method = requestOf(`group/m${index}`, "agent", `Object${index}`, `Union${index}`);
  methods.push({
    ...method,
    summary: text,
    description: text,
    examples: [{ title: text, params: text, result: text }],
  });
});

const folder = createCodeFolder();
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  const bundle = compose(protocolOf(definitions, methods), []);
  const protocol = buildProtocol(bundle, {
    name: "hostile",
    title: "Hostile",
    description: "Hostile.",
  });
  const compiled = await compile(
    [protocol],
    [types, schemas, roles, mocks, ajv],
    {},
    {
      templates: new Map(),
      version: "0.0.0",
    },
  );
  folder.write(compiled.filter(({ path }) => path.endsWith(".ts")));
  files = new Map(compiled.map(({ path, text }) => [path.split("/").at(-1)!, text]));
}, 120_000);

function parse(name: string): ts.SourceFile {
  return ts.createSourceFile(name, files.get(name)!, ts.ScriptTarget.Latest, true);
}

describe(`${STRINGS.length} hostile strings in every place of a schema`, () => {
  test("produce files that parse and contain only the intended statements", () => {
    const allowed: { readonly [name: string]: readonly ts.SyntaxKind[] } = {
      "types.ts": [ts.SyntaxKind.InterfaceDeclaration, ts.SyntaxKind.TypeAliasDeclaration],
      "methods.ts": [ts.SyntaxKind.ImportDeclaration, ts.SyntaxKind.VariableStatement],
      "schemas.ts": [
        ts.SyntaxKind.ImportDeclaration,
        ts.SyntaxKind.TypeAliasDeclaration,
        ts.SyntaxKind.VariableStatement,
      ],
      "checks.ts": [
        ts.SyntaxKind.ImportDeclaration,
        ts.SyntaxKind.FunctionDeclaration,
        ts.SyntaxKind.VariableStatement,
      ],
      "mocks.ts": [
        ts.SyntaxKind.ImportDeclaration,
        ts.SyntaxKind.InterfaceDeclaration,
        ts.SyntaxKind.VariableStatement,
      ],
      "roles.ts": [
        ts.SyntaxKind.ImportDeclaration,
        ts.SyntaxKind.InterfaceDeclaration,
        ts.SyntaxKind.TypeAliasDeclaration,
      ],
    };
    for (const [name, kinds] of Object.entries(allowed)) {
      const { diagnostics } = ts.transpileModule(files.get(name)!, {
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ES2022 },
      });
      expect(diagnostics, name).toEqual([]);
      const found = new Set(parse(name).statements.map(({ kind }) => kind));
      expect(
        [...found].filter((kind) => !kinds.includes(kind)).map((kind) => ts.SyntaxKind[kind]),
        name,
      ).toEqual([]);
    }
    expect(parse("types.ts").statements).toHaveLength(3 * STRINGS.length);
  });

  test("are never executed, even when the files are loaded and every validator is called", async () => {
    const load = (name: string): Promise<Record<string, (value: unknown) => unknown>> =>
      folder.load(`typescript/src/hostile/${name}.ts`);
    const reference = await load("ajv");
    const schemas = (await load("schemas")) as unknown as {
      readonly [definition: string]: UnknownSchema<unknown, unknown, never>;
    };
    const validate = Object.fromEntries(
      Object.entries(schemas).map(([name, { is }]) => [`validate${name}`, is]),
    );
    const table = (await load("methods"))["METHODS"] as unknown as { name: string }[];
    expect(table.map(({ name }) => name)).toEqual(methods.map(({ name }) => name));
    const { SAMPLES, FULL_SAMPLES } = (await load("mocks")) as unknown as {
      readonly [table: string]: { readonly [definition: string]: object };
    };
    STRINGS.forEach((text, index) => {
      const own = Object.fromEntries([[text, text]]);
      // Compared as text: a key `__proto__` counts there.
      expect(JSON.stringify(SAMPLES![`Object${index}`])).toBe(JSON.stringify(own));
      expect(Object.keys(FULL_SAMPLES![`Object${index}`]!)).toEqual([text]);
      for (const table of [SAMPLES!, FULL_SAMPLES!])
        expect(validate[`validateUnion${index}`]!(table[`Union${index}`])).toBe(true);
      for (const checks of [validate, reference]) {
        expect(checks[`validateObject${index}`]!(own), JSON.stringify(text)).toBe(true);
        expect(checks[`validateObject${index}`]!({}), JSON.stringify(text)).toBe(false);
        expect(checks[`validateEnum${index}`]!(text)).toBe(true);
        expect(checks[`validateEnum${index}`]!(`${text}.`)).toBe(false);
        expect(checks[`validateUnion${index}`]!(own)).toBe(true);
      }
      expect(schemas[`Object${index}`]!.decode(own)).toMatchObject({ ok: true, value: own });
      expect(schemas[`Union${index}`]!.isUnknown(own)).toBe(false);
    });
    expect((globalThis as { PWNED?: unknown }).PWNED).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("are a regular expression as a pattern, or refused", () => {
    for (const text of STRINGS) {
      let refused = false;
      try {
        compose(protocolOf({ Thing: { type: "string", pattern: text } }), []);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        refused = error.message.includes("is not a regular expression");
      }
      const valid = ((): boolean => {
        try {
          new RegExp(text, "u");
          return true;
        } catch {
          return false;
        }
      })();
      expect(refused, JSON.stringify(text)).toBe(!valid);
    }
  });
});

describe("definition names", () => {
  const names = [
    ..."Error String Number Record Promise Symbol Request any string null void class enum await yield eval arguments".split(
      " ",
    ),
    ..."break case catch const continue debugger default delete do else export extends false finally".split(
      " ",
    ),
    ..."for function if import in instanceof new return super switch this throw true try typeof".split(
      " ",
    ),
    ..."var while with let static implements interface package private protected public".split(" "),
    ..."never unknown object boolean bigint undefined NaN Infinity globalThis Array Map Set Date".split(
      " ",
    ),
    ..."valueOf isPrototypeOf __defineGetter__ then toJSON name length caller callee".split(" "),
    ..."ſ s K k ß ss ı i İ I ﬁ fi Å Å".split(" "),
    ..."__proto__ constructor prototype hasOwnProperty toString a A foo Foo FOO foo-bar foo_bar fooBar foo.bar foo/bar".split(
      " ",
    ),
    ..."1a 12 3D é e\u0301 日本 😀 ../../x /etc/x C:\\x CON".split(" "),
    "",
    " ",
    "-",
    "a\0b",
    "x".repeat(300),
  ];

  test("become distinct legal identifiers, independent of their order", () => {
    expect(new Set(names).size).toBeGreaterThanOrEqual(120);
    const identifiers = definitionIdentifiers(names);
    expect(new Set(identifiers.values()).size).toBe(new Set(names).size);
    for (const identifier of identifiers.values()) {
      const { diagnostics } = ts.transpileModule(`export interface ${identifier} {}`, {
        reportDiagnostics: true,
      });
      expect(diagnostics, identifier).toEqual([]);
    }
    expect(definitionIdentifiers(names.toReversed())).toEqual(identifiers);
  });

  test("that are identifiers stay unchanged", () => {
    const identifiers = definitionIdentifiers(names);
    for (const name of ["Error", "String", "Foo", "fooBar", "CON"])
      expect(identifiers.get(name)).toBe(name);
  });
});
