import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { filesBelow } from "./sources.js";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** What a program can import by name, without types, and all texts of the package. */
interface Language {
  readonly names: ReadonlySet<string>;
  readonly text: string;
}

const LANGUAGES: { readonly [language: string]: Language } = {
  TypeScript: {
    names: new Set(
      [
        ...["index", "stdio/index", "file-sessions/index", "remote/index", "remote/node/index"].map(
          (entry) => `runtime/${entry}`,
        ),
        ...["runtime/conformance/index", "runtime/nes/index", "agent", "v1/index"],
      ].flatMap((entry) => exportsOf(`out/typescript/src/${entry}.ts`)),
    ),
    text: textBelow("out/typescript/src", ".ts"),
  },
  Python: {
    names: new Set(
      ["__init__", "remote", "nes", "v1/__init__"]
        .flatMap((name) =>
          quotedIn(
            /__all__ = \[(.*?)\]/s.exec(read(`out/python/acp_bindings/${name}.py`))?.[1] ?? "",
          ),
        )
        // The modules with what the schema has.
        .filter((name) => !["__version__", "schemas", "types"].includes(name)),
    ),
    text: textBelow("out/python/acp_bindings", ".py"),
  },
  Go: {
    names: new Set(
      ["acp", "acptest", "remote", "sessions", "profile"].flatMap((folder) =>
        filesBelow(`templates/go/${folder}`)
          .filter((path) => !/_test\.go$/.test(path))
          .flatMap((path) => [...read(path).matchAll(/^(?:func|type) ([A-Z]\w*)/gm)])
          .map(([, name]) => name!),
      ),
    ),
    text: textBelow("out/go", ".go"),
  },
};

/** Returns the names of the values that a module exports, its own and those of others. */
function exportsOf(path: string): readonly string[] {
  const text = read(path);
  const own = text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm);
  const listed = text.matchAll(/^export \{([^}]*)\}/gm);
  const others = text.matchAll(/^export \* from "([^"]*)\.js"/gm);
  return [
    ...[...own].map(([, name]) => name!),
    ...[...listed].flatMap(([, names]) =>
      names!
        .split(",")
        .flatMap((name) => /^\s*(?!type )(?:\w+ as )?(\w+)\s*$/.exec(name)?.[1] ?? []),
    ),
    ...[...others].flatMap(([, from]) => exportsOf(join(dirname(path), `${from}.ts`))),
  ];
}

function textBelow(folder: string, ending: string): string {
  const paths = filesBelow(folder).filter((path) => path.endsWith(ending));
  return paths.map(read).join("\n");
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/"(\w+)"/g)].map(([, name]) => name!);
}

/** The rows of the tables, without their titles. */
const rows = read("templates/site/guides/tool/languages.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| *(-|\|)/.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(2, 5)
      .map((cell) => cell.trim()),
  );

describe.each(Object.entries(LANGUAGES))(
  "the table of what %s has",
  (language, { names, text }) => {
    const own = rows.map((row) => row[Object.keys(LANGUAGES).indexOf(language)]!);
    const named = own.flatMap((cell) => [...cell.matchAll(/`([^`]*)`/g)].map(([, name]) => name!));

    test("has every name that a program can import", () => {
      expect(names.size).toBeGreaterThan(40);
      const words = new Set(named.flatMap((name) => name.split(".")));
      expect([...names].filter((name) => !words.has(name))).toEqual([]);
    });

    test("has no other names", () => {
      const words = named.flatMap((name) => name.match(/\w+/g) ?? []);
      expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(text))).toEqual([]);
    });

    test("has a name or a reason in each place", () => {
      expect(own.length).toBeGreaterThan(40);
      expect(own.filter((cell) => cell === "")).toEqual([]);
    });
  },
);
