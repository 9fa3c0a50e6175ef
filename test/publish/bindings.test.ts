import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { pack, packBindings, type Tarball } from "./pack.js";
import { deepTest } from "../support/deep.js";
import { ROOT } from "../support/paths.js";

const source = join(ROOT, "out/typescript");
const folder = temporaryFolder();
let tarball: Tarball;
const unpacked = join(folder, "unpacked");
beforeAll(() => {
  mkdirSync(unpacked);
  tarball = packBindings(folder);
  execFileSync("tar", ["-xzf", tarball.file, "-C", unpacked]);
});

/** Runs a program beside the installed package, and returns what it prints. */
function run(program: string, others: { readonly [name: string]: string } = {}): string {
  const place = temporaryFolder(join(folder, "program-"));
  mkdirSync(join(place, "node_modules"));
  symlinkSync(join(unpacked, "package"), join(place, "node_modules/acp-bindings"), "junction");
  for (const [name, text] of Object.entries({ ...others, "program.mjs": program }))
    writeFileSync(join(place, name), text);
  const node = ["--preserve-symlinks", join(place, "program.mjs")];
  return execFileSync(process.execPath, node, { encoding: "utf8" });
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: { readonly [subpath: string]: string | { readonly types: string } };
  readonly dependencies?: object;
  readonly sideEffects: boolean;
  readonly scripts: { readonly [name: string]: string };
}
const manifest = (): Manifest =>
  JSON.parse(readFileSync(join(unpacked, "package/package.json"), "utf8")) as Manifest;

describe("the packed bindings", () => {
  test("pass publint", async () => {
    const { messages } = await publint({ pkgDir: join(unpacked, "package"), strict: true });
    expect(messages).toEqual([]);
  });

  deepTest(
    "have correct types on every subpath, for ESM in Node.js and for bundlers",
    async () => {
      const analysis = await checkPackage(createPackageFromTarballData(tarball.bytes));
      expect(analysis.types).not.toBe(false);
      const entrypoints = "entrypoints" in analysis ? Object.keys(analysis.entrypoints) : [];
      const subpaths = Object.keys(manifest().exports);
      expect(entrypoints.sort()).toEqual(subpaths.sort());
      const problems = "problems" in analysis ? analysis.problems : [];
      // The package is ESM only, for Node.js 20 and newer: it says so in `engines`.
      const ours = problems.filter((problem) => {
        const kind = "resolutionKind" in problem ? problem.resolutionKind : undefined;
        return kind !== "node10" && kind !== "node16-cjs";
      });
      expect(ours).toEqual([]);
    },
    300_000,
  );

  test("contain the compiled modules, the structure of each profile and four files about them", () => {
    const { exports } = manifest();
    const files = tarball.files.map(({ path }) => path);
    const other = files.filter((path) => !/^dist\/.+\.(js|d\.ts)$/.test(path));
    const structures = Object.keys(exports)
      .filter((path) => /^\.\/v[^/]*$/.test(path))
      .map((path) => path.replace("./", "schema/") + ".json");
    const about = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
    expect(other.sort()).toEqual([...about, ...structures].sort());
    for (const target of Object.values(exports)) {
      const path = typeof target === "string" ? target : target.types;
      expect(files).toContain(path.replace("./", ""));
    }
    expect(tarball.files.filter(({ mode }) => mode & 0o111)).toEqual([]);
    expect(tarball.unpackedSize).toBeLessThan(6_300_000);
  });

  test("have a module for each subpath, and some that these share", () => {
    const modules = readdirSync(join(unpacked, "package/dist"), {
      recursive: true,
      encoding: "utf8",
    }).filter((path) => path.endsWith(".js"));
    const entries = Object.values(manifest().exports).flatMap((entry) =>
      typeof entry === "string" ? [] : [entry.types.replace(/^\.\/dist\/|\.d\.ts$/g, "")],
    );
    const own = modules.filter((path) => !path.startsWith("shared/"));
    expect(own.map((path) => path.replace(/\.js$/, "")).sort()).toEqual(
      [...entries, "bridge/command"].sort(),
    );
    expect(modules.length - own.length).toBeLessThan(25);
  });

  // Loading a module costs a millisecond of processor time, whatever its size.
  test.each([
    ["the schemas of a profile", 5, `await import("acp-bindings/v1/schemas");`],
    [
      "an agent",
      9,
      `const { createAgent } = await import("acp-bindings/v1"); await import("acp-bindings/stdio");`,
    ],
  ])("load few modules for %s", (_, most, program) => {
    const text = `import { register } from "node:module";
const { port1, port2 } = new MessageChannel();
let loaded = 0;
port1.on("message", (url) => { loaded += url.includes("/acp-bindings/") });
register("./loads.mjs", { parentURL: import.meta.url, data: { port: port2 }, transferList: [port2] });
${program}
setTimeout(() => { console.log(loaded); process.exit() }, 200);`;
    const hooks = `let port;
export const initialize = (data) => { port = data.port };
export const load = (url, context, next) => { port.postMessage(url); return next(url, context) };`;
    expect(Number(run(text, { "loads.mjs": hooks }))).toBeLessThanOrEqual(most);
  });

  test("have one class of errors on all subpaths", () => {
    const program = `import { AcpError } from "acp-bindings";
import { SessionNotification } from "acp-bindings/v1/schemas";
import { createAgent } from "acp-bindings/v1";
const thrown = (call) => { try { call() } catch (error) { return error instanceof AcpError } };
console.log(thrown(() => SessionNotification.parse(1)), thrown(() => createAgent({ handlers: { none: 1 } })));`;
    expect(run(program)).toBe("true true\n");
  });

  test("have no dependencies, install scripts or side effects", () => {
    const { dependencies, scripts, sideEffects } = manifest();
    expect(dependencies ?? {}).toEqual({});
    // Only `prepack` runs by itself, and never where the package is installed.
    expect(Object.keys(scripts)).toEqual(["compile", "build", "prepack"]);
    expect(sideEffects).toBe(false);
  });

  deepTest(
    "are the same bytes when they are rebuilt in another folder",
    () => {
      const rebuilt = join(folder, "rebuilt");
      const parts = [
        "src",
        "schema",
        "package.json",
        "tsconfig.json",
        "bundle.js",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
      ];
      for (const part of parts)
        cpSync(join(source, part), join(rebuilt, part), { recursive: true });
      const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
      symlinkSync(join(ROOT, "node_modules"), join(rebuilt, "node_modules"));
      execFileSync(process.execPath, [tsc, "-p", "tsconfig.json"], { cwd: rebuilt });
      execFileSync(process.execPath, ["bundle.js"], { cwd: rebuilt });
      const again = join(folder, "rebuilt-tarball");
      mkdirSync(again);
      expect(pack(rebuilt, again).integrity).toBe(tarball.integrity);
    },
    300_000,
  );

  test("evaluate no code, and outside the modules of Node.js and of remote connections touch neither disk nor network", () => {
    const dist = join(unpacked, "package/dist");
    const found: string[] = [];
    for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".js")) continue;
      const text = readFileSync(join(dist, path), "utf8");
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
      const isOfNode =
        /^(runtime\/(stdio|remote\/node|file-sessions)\/|shared\/stdio|bridge\/command\.)/.test(
          path,
        );
      visit(file, (node) => {
        if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
          found.push(`${path}: import()`);
        }
        if (
          (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
          ts.isIdentifier(node.expression)
        ) {
          const name = node.expression.text;
          if (
            ["eval", "Function", "require", "fetch", "WebSocket", "XMLHttpRequest"].includes(name)
          ) {
            found.push(`${path}: ${name}`);
          }
        }
        if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
          const from = node.moduleSpecifier.text;
          if (!from.startsWith(".") && !(isOfNode && from.startsWith("node:"))) {
            found.push(`${path}: ${from}`);
          }
        }
      });
    }
    expect(found).toEqual([]);
  });

  test("can all be imported where code from strings is forbidden", () => {
    const app = join(folder, "app");
    mkdirSync(join(app, "node_modules"), { recursive: true });
    cpSync(join(unpacked, "package"), join(app, "node_modules/acp-bindings"), { recursive: true });
    const subpaths = Object.keys(manifest().exports).filter((path) => path !== "./package.json");
    const imports = subpaths.map((path) => `await import("acp-bindings${path.slice(1)}");`);
    const program = `${imports.join("\n")}\nconsole.log("imported");`;
    const printed = execFileSync(
      process.execPath,
      ["--disallow-code-generation-from-strings", "--input-type=module", "-e", program],
      { cwd: app, encoding: "utf8" },
    );
    expect(printed).toBe("imported\n");
  });
});

function visit(node: ts.Node, visitor: (node: ts.Node) => void): void {
  visitor(node);
  ts.forEachChild(node, (child) => visit(child, visitor));
}
