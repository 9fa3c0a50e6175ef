import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { ROOT } from "../paths.js";

interface Source {
  readonly path: string;
  readonly text: string;
  /** Imported modules: paths relative to the root for our own, names for others. */
  readonly imports: readonly string[];
}

const sources = readSources("generators");

describe("the house", () => {
  test("layers only import from the layers below them", () => {
    const allowed: { readonly [layer: string]: readonly string[] } = {
      schema: ["schema"],
      model: ["model", "schema"],
      output: ["output", "schema"],
      emit: ["emit", "output", "model", "schema"],
      "compile.ts": ["emit", "output", "model"],
      "targets.ts": ["emit"],
      run: ["run", "compile.ts", "targets.ts", "emit", "output", "model", "schema"],
      cli: ["cli", "run", "targets.ts", "emit", "output", "model", "schema"],
      "index.ts": ["compile.ts", "run", "emit", "model", "output", "schema"],
      "plugin.ts": ["run"],
    };
    const crossed = sources.flatMap(({ path, imports }) =>
      imports
        .filter((other) => other.startsWith("generators/"))
        .filter((other) => !allowed[layerOf(path)]?.includes(layerOf(other)))
        .map((other) => `${path} imports ${other}`),
    );
    expect(crossed).toEqual([]);
  });

  test("emitters never import each other", () => {
    const targetOf = (path: string): string => path.split("/")[2]!.replace(/\.ts$/, "");
    const crossed = sources.flatMap(({ path, imports }) =>
      imports
        .filter(
          (other) => path.startsWith("generators/emit/") && other.startsWith("generators/emit/"),
        )
        .filter((other) => targetOf(other) !== "emitter" && targetOf(other) !== targetOf(path))
        .map((other) => `${path} imports ${other}`),
    );
    expect(crossed).toEqual([]);
  });

  test("only the command line, the loader and the writer touch the disk", () => {
    const touching = sources
      .filter(({ imports }) => imports.some((name) => /^(node:)?fs(\/|$)/.test(name)))
      .map(({ path }) => path);
    expect(touching.filter((path) => !/^generators\/(run|cli)\//.test(path))).toEqual([
      "generators/output/write.ts",
      "generators/schema/source/load.ts",
    ]);
  });

  test("nothing but the command line reads the arguments, the environment or the clock, or prints", () => {
    const impure =
      /\bprocess\.|\bconsole\.|Date\.now|new Date\b|Math\.random|performance\.now|\bfetch\(/;
    const found = sources
      .filter(({ path, text }) => !/^generators\/(run|cli)\//.test(path) && impure.test(text))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });

  test("the runtime imports nothing from the generators and no package", () => {
    const foreign = readSources("templates/runtime").flatMap(({ path, imports }) =>
      imports
        .filter((name) => !name.startsWith("templates/runtime/") && !name.startsWith("node:"))
        .map((name) => `${path} imports ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test("the inspector imports nothing but the runtime", () => {
    const foreign = readSources("templates/inspect").flatMap(({ path, imports }) =>
      imports
        .filter((name) => !/^templates\/(runtime|inspect)\//.test(name))
        .map((name) => `${path} imports ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test("only the stdio modules of the runtime need Node.js, and nothing else imports them", () => {
    const isStdio = (path: string): boolean => /^templates\/runtime\/stdio\//.test(path);
    const node = readSources("templates/runtime")
      .filter(({ path }) => !isStdio(path))
      .filter(({ imports }) => imports.some((name) => name.startsWith("node:") || isStdio(name)));
    expect(node.map(({ path }) => path)).toEqual([]);
  });

  test("no file of the generators is longer than 250 lines", () => {
    const long = sources
      .filter(({ text }) => text.split("\n").length > 251)
      .map(({ path }) => path);
    expect(long).toEqual([]);
  });

  test("no template leaves a value unescaped", () => {
    const raw = files(join(ROOT, "templates"))
      .filter((path) => path.endsWith(".hbs"))
      .filter((path) => /\{\{\{|\{\{\s*&/.test(readFileSync(path, "utf8")))
      .map((path) => relative(ROOT, path));
    expect(raw).toEqual([]);
  });
});

function layerOf(path: string): string {
  return path.split("/")[1]!;
}

function readSources(folder: string): Source[] {
  return files(join(ROOT, folder))
    .filter((path) => path.endsWith(".ts"))
    .map((file) => {
      const path = relative(ROOT, file);
      const text = readFileSync(file, "utf8");
      return { path, text, imports: importsOf(file, text).map((name) => resolved(path, name)) };
    });
}

function importsOf(file: string, text: string): string[] {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    return specifier !== undefined && ts.isStringLiteral(specifier) ? [specifier.text] : [];
  });
}

function resolved(path: string, name: string): string {
  if (!name.startsWith(".")) return name;
  return join(path, "..", name).replace(/\.js$/, ".ts");
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
