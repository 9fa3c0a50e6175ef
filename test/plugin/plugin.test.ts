import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { build as vite } from "vite";
import { acp } from "../../generators/plugin.js";

const folder = mkdtempSync(join(tmpdir(), "acp-plugin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const entry = join(folder, "entry.js");
writeFileSync(
  entry,
  `import { validateContentBlock, PROTOCOL } from "virtual:acp/v1";
import { decodeContentBlock } from "virtual:acp/v1/decoders";
export const block = { type: "text", text: "hi" };
export const verdicts = [validateContentBlock(block), decodeContentBlock(block).ok, PROTOCOL.profile];
`,
);

const bundlers: readonly [string, (out: string) => Promise<unknown>][] = [
  [
    "Vite",
    (out) =>
      vite({
        root: folder,
        configFile: false,
        logLevel: "error",
        plugins: [acp.vite({ profiles: ["v1"] })],
        build: {
          outDir: join(out, ".."),
          emptyOutDir: false,
          minify: false,
          lib: { entry, formats: ["es"], fileName: () => "vite.mjs" },
        },
      }),
  ],
  [
    "esbuild",
    (out) =>
      esbuild({
        entryPoints: [entry],
        bundle: true,
        format: "esm",
        outfile: out,
        plugins: [acp.esbuild({ profiles: ["v1"] })],
      }),
  ],
];

describe("the plugin", () => {
  test.each(bundlers)("gives %s the bindings as virtual modules", async (name, build) => {
    const out = join(folder, "out", `${name.toLowerCase()}.mjs`);
    await build(out);
    const { verdicts } = (await import(/* @vite-ignore */ pathToFileURL(out).href)) as {
      verdicts: unknown;
    };
    expect(verdicts).toEqual([true, true, "v1"]);
  });

  test("says which module does not exist", async () => {
    const wrong = join(folder, "wrong.js");
    writeFileSync(wrong, 'import "virtual:acp/v1/nothing";');
    const built = esbuild({
      entryPoints: [wrong],
      bundle: true,
      write: false,
      logLevel: "silent",
      plugins: [acp.esbuild({ profiles: ["v1"] })],
    });
    await expect(built).rejects.toThrow("there is no module virtual:acp/v1/nothing.js");
  });
});
