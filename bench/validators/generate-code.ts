import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compile } from "../../generators/compile.js";
import { readTemplates } from "../../generators/run/installation.js";
import { resolveInputs } from "../../generators/run/inputs/select-profiles.js";
import { buildProtocol } from "../../generators/model/build/build.js";
import type { Protocol } from "../../generators/model/protocol.js";
import { TARGETS } from "../../generators/targets.js";
import { build } from "esbuild";
import { ROOT } from "../paths.js";

export type Module = { readonly [name: string]: unknown };

/** The model of v1. */
export function loadV1(): Protocol {
  const [input] = resolveInputs({ profiles: ["v1"] }, join(ROOT, "schema"));
  return buildProtocol(input!.bundle, input!.profile);
}

/**
 * Compiles a protocol with some targets and imports one module of it.
 *
 * @param name the module's name below the profile, such as `decoders`
 */
export async function loadGenerated(
  protocol: Protocol,
  targets: readonly string[],
  name: string,
): Promise<Module> {
  const files = await compile(
    [protocol],
    TARGETS.filter((target) => targets.includes(target.name)),
    { templates: readTemplates(), version: "0.0.0" },
  );
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-bench-"));
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const entry = join(folder, "typescript/src", protocol.profile, `${name}.ts`);
    return await importText(`export * from ${JSON.stringify(entry)};`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports the source of a module, with everything that it imports bundled into it. */
export async function importText(contents: string): Promise<Module> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    write: false,
  });
  const text = Buffer.from(outputFiles[0]!.contents).toString("base64");
  return (await import(`data:text/javascript;base64,${text}`)) as Module;
}
