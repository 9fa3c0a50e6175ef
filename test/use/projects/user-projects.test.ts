import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createJiti } from "jiti";
import type ts from "typescript";
import { describe, expect, it } from "vitest";
import { compile } from "../../../generators/compile.js";
import { generate } from "../../../generators/run/generate/generate.js";
import { loadTemplates } from "../../../generators/run/inputs/load-templates.js";
import { selectTargets } from "../../../generators/run/targets/select-targets.js";
import { TARGETS } from "../../../generators/targets.js";
import { loadMini } from "../../generators/golden/compile-mini.js";
import { IS_DEEP, deepTest } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";
import { siteInputs } from "../../support/emit-inputs.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { findTypeErrors } from "./find-type-errors.js";

/** What the strictest user asks of generated code, besides `strict`. */
const STRICTEST: ts.CompilerOptions = {
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  typeRoots: [join(ROOT, "node_modules/@types")],
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

describe("a selection of targets", () => {
  const folder = temporaryFolder();
  const write = async (targets: readonly string[], out: string): Promise<readonly string[]> => {
    const { write: made } = await generate({ profiles: ["v1"], targets, out });
    return made.map(({ file }) => file.path);
  };

  it("compiles without the other targets", async () => {
    const code = TARGETS.map(({ name }) => name).filter(
      (name) => !["schema", "docs"].includes(name),
    );
    const templates = loadTemplates();
    const files: string[] = [];
    const selections = [["types", "schemas"], ["roles"], ...code.map((name) => [name])];
    for (const names of selections.slice(0, IS_DEEP ? undefined : 2)) {
      const targets = await selectTargets(names, undefined);
      for (const { path, text } of await compile([loadMini()], targets, siteInputs({ templates }), {
        templates,
        version: "0",
      })) {
        const file = join(folder, names.join("-"), path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        if (path.endsWith(".ts")) files.push(file);
      }
    }
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const errors = findTypeErrors(files, STRICTEST);
    expect(errors.map(({ file, messageText }) => [file?.fileName, messageText])).toEqual([]);
    const path = join(folder, "types-schemas/typescript/src/mini/schemas.ts");
    const { Note } = await createJiti(import.meta.url).import<{
      readonly Note: { readonly decode: (value: unknown) => { readonly ok: boolean } };
    }>(path);
    expect(Note.decode({}).ok).toBe(false);
    expect(Note.decode({ id: "note-1", blocks: [{ type: "line" }] }).ok).toBe(true);
  });

  it("writes the runtime modules that it needs, no others", async () => {
    const names = (paths: readonly string[]): string[] =>
      paths.flatMap((path) => /src\/(runtime\/.*)$/.exec(path)?.[1] ?? []).sort();
    expect(names(await write(["types"], join(folder, "only-types")))).toEqual([]);
    const decoding = names(await write(["types", "schemas"], join(folder, "decoding")));
    expect(decoding).toContain("runtime/validate/decode.ts");
    const others = decoding.filter((path) => dirname(path) !== "runtime/validate");
    expect(others).toEqual(["runtime/acp-error.ts"]);
  });

  deepTest("keeps the runtime modules of the targets of earlier runs", async () => {
    const out = join(folder, "narrowed");
    await write(["roles"], out);
    const { remove } = await generate({ profiles: ["v1"], targets: ["schemas"], out });
    expect(remove).toEqual([]);
    const again = await generate({ profiles: ["v1"], targets: ["roles"], out, check: true });
    expect([...again.write, ...again.remove]).toEqual([]);
  });
});
