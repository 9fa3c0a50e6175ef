import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../support/paths.js";

const FOLDER = join(ROOT, "test/programs");
const VALID = programs("valid");
const INVALID = programs("invalid");

/** One service for everything: it loads the libraries and the package once. */
const { service, setText } = createService([...VALID, ...INVALID]);

beforeAll(() => void service.getProgram(), 60_000);

describe("a program that must compile", () => {
  it.each(VALID.map((file) => [basename(file), file]))("%s does", (_, file) => {
    expect(errors(file).map(({ line, code, text }) => `${line}: ${code} ${text}`)).toEqual([]);
  });
});

describe("a program that must not compile", () => {
  // A line is marked with `// @error <code>`.
  it.each(INVALID.map((file) => [basename(file), file]))(
    "%s fails in the marked lines only",
    (_, file) => {
      const marked = readFileSync(file, "utf8")
        .split("\n")
        .flatMap((text, index) => {
          const mark = /\/\/ @error (\d+)$/.exec(text);
          return mark === null ? [] : [`${index + 1}: ${mark[1]!}`];
        });
      expect(marked).not.toEqual([]);
      expect(errors(file).map(({ line, code }) => `${line}: ${code}`)).toEqual(marked);
    },
  );
});

describe("an editor offers", () => {
  it("the known values of an open enumeration", () => {
    const offered = completions(`import type { Notice } from "acp-bindings/v1";
      export const severity: Notice["severity"] = "|";`);
    expect(offered).toEqual(["error", "info", "warning"]);
  });

  it("the known values of an open enumeration of integers", () => {
    const offered = completions(`import type { Error } from "acp-bindings/v1";
      export const error: Error = { message: "", code: | };`);
    expect(offered).toEqual(expect.arrayContaining(["-32700", "-32800"]));
  });

  it("the known tags of an open union", () => {
    const offered = completions(`import type { CreateElicitationRequest } from "acp-bindings/v1";
      export const request: CreateElicitationRequest = { mode: "|" };`);
    expect(offered).toEqual(expect.arrayContaining(["form", "url"]));
  });

  it("the properties of the variant that the tag chooses", () => {
    const offered = completions(`import type { ContentBlock } from "acp-bindings/v1";
      export const block: ContentBlock = { type: "resource_link", | };`);
    expect(offered).toEqual(expect.arrayContaining(["uri", "name", "mimeType"]));
    expect(offered).not.toContain("data");
  });

  it("the methods that a role handles", () => {
    const offered = completions(`import { createAgent } from "acp-bindings/v1";
      createAgent({ info: { name: "", version: "" }, handlers: { session: { | } } });`);
    expect(offered).toEqual(expect.arrayContaining(["new", "prompt", "cancel", "setMode"]));
    expect(offered).not.toContain("requestPermission");
  });
});

function programs(kind: "valid" | "invalid"): string[] {
  const folder = join(FOLDER, kind);
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

interface Diagnostic {
  readonly line: number;
  readonly code: number;
  readonly text: string;
}

/** The compiler's errors in a file, from top to bottom. */
function errors(file: string): Diagnostic[] {
  return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
    .map(({ file: source, start, code, messageText }) => ({
      line: source!.getLineAndCharacterOfPosition(start!).line + 1,
      code,
      text: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }))
    .sort((a, b) => a.line - b.line);
}

/** The completions at the `|` of a program, other than global names. */
function completions(program: string): string[] {
  const position = program.indexOf("|");
  const file = setText(program.replace("|", ""));
  const offered = service.getCompletionsAtPosition(file, position, undefined);
  return (
    (offered?.entries ?? [])
      // TypeScript sorts members and values of the expected type before everything else.
      .filter(({ sortText }) => sortText <= "12")
      .map(({ name }) => name.replace(/^"(.*)"$/, "$1"))
      .sort()
  );
}

/** A language service with the options of `test/programs`, and one file that exists in memory only. */
function createService(files: readonly string[]): {
  readonly service: ts.LanguageService;
  readonly setText: (text: string) => string;
} {
  const config = ts.readConfigFile(join(FOLDER, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, FOLDER);
  const draft = join(FOLDER, "draft.ts");
  let draftText = "";
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => FOLDER,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [...files, draft],
    getScriptVersion: (file) => (file === draft ? String(version) : "0"),
    getScriptSnapshot: (file) => {
      const text = file === draft ? draftText : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (file) => file === draft || ts.sys.fileExists(file),
    readFile: (file) => (file === draft ? draftText : ts.sys.readFile(file)),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath!,
  });
  return {
    service,
    setText: (text) => {
      draftText = text;
      version++;
      return draft;
    },
  };
}
