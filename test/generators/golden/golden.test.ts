import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import type { Shape } from "../../../generators/model/shape.js";
import type { VirtualFile } from "../../../generators/output/file.js";
import { compileMini, EXPECTED, loadMini, readFolder, selectExpected } from "./compile-mini.js";

/**
 * The mini protocol shows every shape of the model once. A difference here is a
 * change of output: read it, and if it is meant, `npx vitest run test/generators/golden -u` accepts it.
 */
describe("the output for the mini protocol", () => {
  let files: readonly VirtualFile[];

  beforeAll(async () => {
    files = await compileMini();
  });

  it("is as expected", async () => {
    const actual = selectExpected(files);
    for (const [path, text] of actual)
      await expect.soft(text, path).toMatchFileSnapshot(join(EXPECTED, path));
    const stale = [...readFolder(EXPECTED).keys()].filter((path) => !actual.has(path));
    expect(stale, "files to delete").toEqual([]);
  });

  it("compiles under the strictest options", () => {
    expect(typeErrors(files)).toEqual([]);
  });
});

describe("the mini protocol", () => {
  it("shows every kind of shape, and every fact that a shape can have", () => {
    const shown = factsIn(loadMini().definitions);
    expect(
      Object.values(FACTS)
        .flat()
        .filter((fact) => !shown.has(fact)),
    ).toEqual([]);
  });
});

/** The facts of each kind that the mini protocol must show; a new kind breaks the build here too. */
const FACTS: { readonly [kind in Shape["kind"]]: readonly string[] } = {
  any: ["any"],
  null: ["null"],
  scalar: [
    ...["scalar string", "scalar integer", "scalar number", "scalar boolean"],
    ...["scalar.format", "scalar.encoding", "scalar.pattern"],
    ...["scalar.minimum", "scalar.maximum", "scalar.minLength", "scalar.maxLength"],
  ],
  enum: ["enum string", "enum integer", "enum.open", "enum.format"],
  list: ["list.minItems", "list.maxItems"],
  map: ["map"],
  object: ["object.fields"],
  reference: ["reference"],
  tagged: ["tagged.open", "tagged.fallback", "tagged.absent", "tagged.tagField", "tagged.shared"],
  union: ["union", "union.exclusive", "union.shared"],
};

/** Kinds, kinds with their type, and kinds with what is present, of all shapes in a value. */
function factsIn(value: unknown, facts = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return facts;
  const shape = value as { readonly [key: string]: unknown };
  const kind = shape["kind"];
  if (typeof kind === "string" && Object.hasOwn(FACTS, kind)) {
    facts.add(kind).add(`${kind} ${String(shape["type"])}`);
    for (const [key, fact] of Object.entries(shape)) {
      const isPresent = Array.isArray(fact) ? fact.length > 0 : fact !== false;
      if (isPresent) facts.add(`${kind}.${key}`);
    }
  }
  Object.values(shape).forEach((part) => factsIn(part, facts));
  return facts;
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Checks what is generated for the protocol, as it lies in memory; the runtime is checked where it stands. */
function typeErrors(files: readonly VirtualFile[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [join(EXPECTED, path), text]));
  const host = ts.createCompilerHost(OPTIONS);
  const { readFile, fileExists, directoryExists } = host;
  const isOurs = (folder: string): boolean => folder.startsWith(join(EXPECTED, "typescript"));
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.directoryExists = (path) => isOurs(path) || directoryExists!(path);
  const roots = files
    .filter(({ path, profile }) => path.endsWith(".ts") && profile !== "*")
    .map(({ path }) => join(EXPECTED, path));
  const program = ts.createProgram(roots, OPTIONS, host);
  return roots.flatMap((root) => {
    const file = program.getSourceFile(root);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${root}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
}
