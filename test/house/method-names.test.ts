import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { loadSources } from "../../generators/schema/source/load-sources.js";
import { ROOT } from "../support/paths.js";
import { readPythonSources } from "./python-sources.js";
import { filesBelow, readSources, type Source } from "./sources.js";

/** The files of the runtimes that may know methods by their names, each with the reason. */
const KNOWING: readonly (readonly [start: string, names: RegExp, reason: string])[] = [
  [
    "templates/typescript/runtime/find-method.ts",
    /^initialize$/,
    "the method that all others come after",
  ],
  ["templates/typescript/runtime/agent/session-v1.ts", /^terminal\//, "the API `session.terminal`"],
  [
    "templates/typescript/runtime/bridge/",
    /./,
    "the bridge converts each method of one version by itself",
  ],
  [
    "templates/typescript/runtime/conformance/",
    /./,
    "rules are about single methods, which their texts name",
  ],
  [
    "templates/typescript/runtime/mocks/",
    /./,
    "mocks answer single methods with values that make sense",
  ],
  [
    "templates/python/acp_bindings/_runtime/protocol.py",
    /^initialize$/,
    "the method that all others come after",
  ],
  [
    "templates/python/acp_bindings/_runtime/role/mocks.py",
    /^initialize$/,
    "a mock does not record the handshake",
  ],
  [
    "templates/python/acp_bindings/_runtime/role/versions.py",
    /^initialize$/,
    "the version of a client is read before its messages are parsed",
  ],
  [
    "templates/python/acp_bindings/_runtime/role/options/official_names.py",
    /./,
    "handlers of the official package have these names",
  ],
  [
    "templates/go/acp/agents.go",
    /^initialize$/,
    "the version of a client is read before its messages are parsed",
  ],
  ["templates/go/acptest/", /./, "fakes speak both versions without a profile"],
  [
    "templates/go/internal/role/protocol.go",
    /^initialize$/,
    "the method that all others come after",
  ],
];

const { protocols } = loadSources(join(ROOT, "schema"));
const NAMES = new Set(
  [...protocols.values()]
    .flatMap(({ modules, features }) => [...modules, ...features.values()])
    .flatMap(({ methods }) => methods.map(({ name }) => name))
    // Those of JSON-RPC belong to the connection.
    .filter((name) => !name.startsWith("$/")),
);
const GROUPS = new Set([...NAMES].flatMap((name) => /^.+\//.exec(name)?.[0] ?? []));

const goSources = filesBelow("templates/go")
  .filter((path) => path.endsWith(".go"))
  .map((path): Source => ({ path, text: readFileSync(join(ROOT, path), "utf8"), imports: [] }));
const found = [
  ...readSources("templates/typescript/runtime").flatMap((source) => namesIn(source, literalsOf)),
  ...readPythonSources("templates/python").flatMap((source) => namesIn(source, pythonLiteralsOf)),
  ...goSources.flatMap((source) => namesIn(source, goLiteralsOf)),
];

test("the runtimes find methods by their traits, not by their names", () => {
  expect(NAMES.size).toBeGreaterThan(40);
  const unexpected = found.filter(({ path, name }) => reasonOf(path, name) === undefined);
  expect(unexpected.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test("every file that may know names knows some", () => {
  const used = new Set(found.map(({ path, name }) => reasonOf(path, name)));
  expect(KNOWING.filter((row) => !used.has(row)).map(([start]) => start)).toEqual([]);
});

function reasonOf(path: string, name: string): (typeof KNOWING)[number] | undefined {
  return KNOWING.find(([start, names]) => path.startsWith(start) && names.test(name));
}

function namesIn({ path, text }: Source, literals: (path: string, text: string) => string[]) {
  return literals(path, text)
    .filter((literal) => NAMES.has(literal) || GROUPS.has(literal))
    .map((name) => ({ path, name }));
}

/** Returns the texts of all literals, and the beginnings of templates. */
function literalsOf(path: string, text: string): string[] {
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) literals.push(node.text);
    // The name of a property is not that of a method.
    if (ts.isIndexedAccessTypeNode(node)) visit(node.objectType);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return literals;
}

/** Returns the texts of all literals on one line. */
function pythonLiteralsOf(_: string, text: string): string[] {
  const code = text.replace(/"""[^]*?"""/g, "");
  return [...code.matchAll(/"([^"\n{]*)/g)].map(([, literal]) => literal!);
}

/** Returns the texts of all literals on one line, without comments. */
function goLiteralsOf(_: string, text: string): string[] {
  const code = text.replace(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/["`]([^"`\n]*)/g)].map(([, literal]) => literal!);
}
