import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "../../../../generators/run/generate/generate.js";
import { manifestPathOf } from "../../../../generators/run/generate/manifest-file.js";
import { compile } from "../../../../generators/compile.js";
import type { EmittedFile, Emitter } from "../../../../generators/emit/emitter.js";
import { InputError } from "../../../../generators/schema/problem.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { smallProtocol } from "../../emit/small-protocol.js";
import { runCommand } from "../../cli/run-command.js";

const folder = temporaryFolder();
const out = join(folder, "out");
let count = 0;

/** A module with a target; its path as a user would name it. */
function target(source: string): string {
  const file = join(folder, `target-${++count}.mjs`);
  writeFileSync(file, `export default { ${source} };`);
  return relative(process.cwd(), file);
}

/** The source of a target that emits files, given as source text. */
function emitting(files: string, name = "mine"): string {
  return `name: "${name}", summary: "x", emit: () => ${files}`;
}

function plain(path: string): string {
  return `{ path: "${path}", profile: "v1", text: "x", language: "plain" }`;
}

/** Returns the errors of a run about its targets. */
async function refusal(...targets: readonly string[]): Promise<InputError> {
  const error: unknown = await generate({ out, profiles: ["v1"], targets }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InputError)) throw new Error("expected an InputError", { cause: error });
  return error;
}

describe("a mistake in a custom target", () => {
  test("is reported as the author's mistake by the command, which exits 1", async () => {
    const file = target('name: "mine", summary: "x", emit: () => { throw new Error("boom"); }');
    const { code, err } = await runCommand([
      ...["generate", "--profile", "v1", "--out", out],
      ...["--target", file],
    ]);
    expect(err).toContain(`error: ${file}: emit failed for profile v1: boom. Correct it.\n`);
    expect(err).not.toContain("mistake in acp-codegen");
    expect(code).toBe(1);
  });

  const thrown: { readonly [title: string]: readonly [string, string] } = {
    "emit throws": ['emit() { throw new Error("boom"); }', "emit failed for profile v1: boom"],
    "emit rejects": ['emit: async () => Promise.reject("no")', "emit failed for profile v1: no"],
    "emit throws nothing": ["emit() { throw undefined; }", "emit failed for profile v1: undefined"],
    "emit takes the list of protocols for one protocol": [
      "emit: ({ methods }) => methods.map(String)",
      'emit failed for profile v1: it reads "methods" from the list of protocols instead of from each protocol',
    ],
  };
  test.each(Object.entries(thrown))(
    "is reported with the thrown value when %s",
    async (_, [functions, message]) => {
      const file = target(`name: "mine", summary: "x", ${functions}`);
      const error = await refusal(file);
      expect(error.message).toBe(`${file}: ${message}. Correct it.`);
      expect(error.kind).toBe("schema");
    },
  );

  const languages = `there are typescript, markdown, json, plain, and { comment: "#" }`;
  const returned: { readonly [title: string]: readonly [string, string] } = {
    "a text": ['"text"', "emit did not return a list of files"],
    nothing: ["undefined", "emit did not return a list of files"],
    "a hole": ["[,]", "emit returned a wrong file: file 0 is not an object"],
    "no path": ['[{ text: "x", language: "plain" }]', "file 0 has no path"],
    "no text": ['[{ path: "a", language: "plain" }]', 'file "a" has no text'],
    "no language": ['[{ path: "a", text: "x" }]', `file "a" has no language; ${languages}`],
    "an unknown language": [
      '[{ path: "a.py", text: "x", language: "python" }]',
      `file "a.py" has the language "python"; ${languages}`,
    ],
    "a language that every object has": [
      '[{ path: "a.py", text: "x", language: "constructor" }]',
      'file "a.py" has the language "constructor"',
    ],
    "no profile": [
      '[{ path: "a", text: "x", language: "plain" }]',
      'file "a" has no profile; "*" is for a file of all profiles',
    ],
    "a number as profile": [
      '[{ path: "a", text: "x", language: "plain", profile: 1 }]',
      'file "a" has a profile that is not a string',
    ],
    "TypeScript that does not parse": [
      '[{ path: "a.ts", profile: "v1", text: "let = ;", language: "typescript" }]',
      "a.ts cannot be formatted: ",
    ],
    "an unsafe path": [`[${plain("../x")}]`, 'not a safe path below the output folder: "../x"'],
    "the path of the manifest": [
      `[${plain(manifestPathOf(undefined))}]`,
      'file "acp-codegen.manifest.json" has the path of a manifest',
    ],
    "the path of the site's manifest, in other letters": [
      `[${plain("Site/acp-codegen.manifest.json")}]`,
      "has the path of a manifest",
    ],
    "a path below the manifest": [
      `[${plain(`${manifestPathOf(undefined)}/a`)}]`,
      "has the path of a manifest",
    ],
  };
  test.each(Object.entries(returned))(
    "names the file when emit returns %s",
    async (_, [files, message]) => {
      const file = target(emitting(files));
      const error = await refusal(file);
      expect(error.message).toContain(message);
      expect(error.message).toMatch(/\. Correct it\.$/);
      expect(error.problems).toHaveLength(1);
      expect(error.problems[0]!.file).toBe(file);
      expect(error.kind).toBe("schema");
    },
  );

  test("is reported with the first profile for which emit fails alone", async () => {
    const file = target(
      `name: "mine", summary: "x", emit: (protocols) => {
         if (protocols.some(({ profile }) => profile !== "v1")) throw new Error("boom");
         return [];
       }`,
    );
    const error: unknown = await generate({
      out,
      profiles: ["v1", "v2", "v1-full"],
      targets: [file],
    }).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toBe(`${file}: emit failed for profile v2: boom. Correct it.`);
  });

  test("is a function `finish`, which a target no longer has", async () => {
    const error = await refusal(target(`${emitting("[]")}, finish: () => []`));
    expect(error.message).toContain("has a `finish`, whose files `emit` returns as well");
    expect(error.kind).toBe("usage");
  });

  test("is an input that does not exist", async () => {
    const error = await refusal(target(`${emitting("[]")}, inputs: ["rules"]`));
    expect(error.message).toContain(
      "has `inputs` that are not a list of files, bridge, behavior, ",
    );
    expect(error.kind).toBe("usage");
  });

  test("in its list of required targets is reported before anything is generated", async () => {
    const file = target(`${emitting("[]")}, requires: "types"`);
    const error = await refusal(file);
    expect(error.message).toContain(`${file}: has a \`requires\` that is not a list of targets.`);
    expect(error.kind).toBe("usage");
  });
});

describe("a path of two files", () => {
  test("that differs only in case is refused, too", async () => {
    const file = target(emitting(`[${plain("a/B.txt")}, ${plain("a/b.txt")}]`));
    expect((await refusal(file)).message).toContain(
      `${file}: the paths a/B.txt and a/b.txt differ only in case: `,
    );
  });

  test("of a built-in target in an earlier run is reported as a mistake of the custom one", async () => {
    const path = "schema/v1.schema.json";
    await generate({ out, profiles: ["v1"], targets: ["schema"] });
    const before = readFileSync(join(out, path), "utf8");
    const error = await refusal(target(emitting(`[${plain(path)}]`)));
    expect(error.message).toContain(`file "${path}" was generated by the target "schema"`);
    expect(readFileSync(join(out, path), "utf8")).toBe(before);
  });

  test("as a file and as a folder is refused, whichever comes first", async () => {
    for (const paths of [
      ["a", "a/b/c"],
      ["a/b/c", "a"],
    ]) {
      const file = target(emitting(`[${paths.map(plain).join(", ")}]`));
      const error = await refusal(file);
      expect(error.message).toContain("a is a file and the folder of a/b/c: ");
      expect(error.problems[0]!.file).toBe(file);
    }
  });

  test("of built-in targets alone is reported as a bug", async () => {
    const emit = (path: string) => (): readonly EmittedFile[] => [
      { path, profile: "small", text: "x", language: "plain" },
    ];
    const ours = (name: string, path: string): Emitter => ({
      name,
      summary: "x",
      emit: emit(path),
    });
    const compiled = (...paths: readonly string[]): Promise<unknown> =>
      compile(
        [smallProtocol({ definitions: {} })],
        paths.map((path, index) => ours(`t${index}`, path)),
        {},
        { templates: new Map(), version: "0.0.0" },
      ).catch((thrown: unknown) => thrown);
    for (const paths of [
      ["a", "a"],
      ["a", "a/b"],
    ]) {
      const error = await compiled(...paths);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(InputError);
      expect((error as Error).message).toContain('target "t0" (profile small) and target "t1"');
    }
  });
});

describe("the name of a custom target", () => {
  test("cannot be that of a built-in one, whose files it would remove", async () => {
    const file = target(emitting("[]", "schema"));
    await generate({ out, profiles: ["v1"], targets: ["schema"] });
    const error = await refusal(file);
    expect(error.message).toBe(
      `${file}: has the name "schema", which a built-in target has. Rename it.`,
    );
    expect(error.kind).toBe("usage");
    expect(existsSync(join(out, "schema/v1.schema.json"))).toBe(true);
  });

  test("cannot be that of another target in the run", async () => {
    const [one, two] = [target(emitting("[]")), target(emitting("[]"))];
    const error = await refusal(one, two);
    expect(error.message).toBe(`${two}: has the name "mine", which ${one} has. Rename it.`);
    expect(error.kind).toBe("usage");
  });

  test("may repeat when the same module is named twice", async () => {
    const file = target(emitting(`[${plain("twice")}]`, "twice"));
    await generate({ out, profiles: ["v1"], targets: [file, join(process.cwd(), file)] });
    expect(existsSync(join(out, "twice"))).toBe(true);
  });
});
