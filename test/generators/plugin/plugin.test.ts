import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";
import { describe, expect, test } from "vitest";
import { build as vite, createServer } from "vite";
import { acp, type PluginOptions } from "../../../generators/plugin.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { ownFeature } from "../cli/own-feature.js";
import { deepTest } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";

const folder = temporaryFolder();
const entry = join(folder, "entry.js");
writeFileSync(
  entry,
  `import { schemas, PROTOCOL } from "virtual:acp/v1";
import { ContentBlock } from "virtual:acp/v1/schemas";
export const block = { type: "text", text: "hi" };
export const verdicts = [schemas.ContentBlock.is(block), ContentBlock.decode(block).ok, PROTOCOL.profile];
`,
);

describe("the plugin", () => {
  test("gives a bundler the bindings as virtual modules", async () => {
    const outfile = join(folder, "out", "esbuild.mjs");
    await esbuild({
      entryPoints: [entry],
      bundle: true,
      format: "esm",
      outfile,
      plugins: [acp.esbuild({ profiles: ["v1"] })],
    });
    const { verdicts } = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
      verdicts: unknown;
    };
    expect(verdicts).toEqual([true, true, "v1"]);
  });

  test("names the module that does not exist", async () => {
    const wrong = join(folder, "wrong.js");
    writeFileSync(wrong, 'import "virtual:acp/v1/nothing";');
    const built = esbuild({
      entryPoints: [wrong],
      bundle: true,
      write: false,
      logLevel: "silent",
      plugins: [acp.esbuild({ profiles: ["v1"] })],
    });
    await expect(built).rejects.toThrow("module virtual:acp/v1/nothing.js does not exist");
  });

  /** A feature file of the user's own, what saves it, and what is made with it. */
  function saved(name: string): [save: (definition: string) => void, PluginOptions] {
    const file = join(folder, `${name}.json`);
    const save = (definition: string): void =>
      writeFileSync(file, JSON.stringify(ownFeature("Adds one type.", definition)));
    return [save, { protocol: "v1", with: [file], name: "mine" }];
  }
  const SCHEMAS = "virtual:acp/mine/schemas";

  deepTest(
    "recompiles for Vite's server when a feature file is fixed and when it changes",
    async () => {
      const [save, options] = saved("served");
      save("not a name");
      writeFileSync(join(folder, "served.js"), `export * from "${SCHEMAS}";`);
      const server = await createServer({
        root: folder,
        configFile: false,
        logLevel: "silent",
        server: { middlewareMode: true, ws: false },
        optimizeDeps: { noDiscovery: true },
        plugins: [acp.vite(options)],
      });
      try {
        // As a browser does: first what imports it.
        await server.transformRequest("/served.js");
        const code = async (): Promise<string> =>
          (await server.transformRequest(SCHEMAS))?.code ?? "";
        await expect(code()).rejects.toThrow("served.json");
        save("First");
        expect(await code()).toContain("First = ");
        save("Second");
        const isSecond = async (): Promise<boolean> => (await code()).includes("Second = ");
        await expect.poll(isSecond, { timeout: 30_000 }).toBe(true);
      } finally {
        await server.close();
      }
    },
  );

  deepTest(
    "declares the virtual modules for tsc, of custom profiles too",
    async () => {
      const project = join(folder, "project");
      const feature = join(folder, "typed.json");
      mkdirSync(join(project, "src"), { recursive: true });
      mkdirSync(join(project, "node_modules"));
      symlinkSync(
        join(ROOT, "node_modules/@types"),
        join(project, "node_modules/@types"),
        "junction",
      );
      writeFileSync(feature, JSON.stringify(ownFeature("Adds one type.", "Typed")));
      writeFileSync(
        join(project, "src/main.ts"),
        `import { createAgent, type Typed } from "virtual:acp/mine";
import type { ContentBlock } from "virtual:acp/mine/types";
import { stdio } from "virtual:acp/stdio";
export const block: ContentBlock = { type: "text", text: "hi" };
// @ts-expect-error
export const wrong: ContentBlock = { type: "text", text: 5 };
export type Mine = Typed;
export { createAgent, stdio };
`,
      );
      const options = { strict: true, noEmit: true, target: "ES2022", module: "ESNext" };
      const compilerOptions = {
        ...options,
        ...{ moduleResolution: "Bundler", lib: ["ES2023", "DOM"], types: ["node"] },
      };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
      await vite({
        root: project,
        configFile: false,
        logLevel: "error",
        plugins: [
          acp.vite({
            ...{ protocol: "v1", with: [feature], name: "mine" },
            types: join(project, "src/acp-virtual.d.ts"),
          }),
        ],
        build: { write: false, ssr: "src/main.ts" },
      });
      const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
      const checked = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
      expect(checked.stdout).toBe("");
      expect(checked.status).toBe(0);
    },
    300_000,
  );
});
