import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findNews, type Network } from "../../../../bin/follow/find-news.js";
import { publishSchema } from "../../../../generators/schema/compose/publish.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { composed } from "../canonical.js";

const folder = temporaryFolder();

/** Crates as the registry's index lists them, and the npm package 2.4.0. */
function networkWith(...crates: readonly { vers: string; yanked: boolean }[]): Network {
  const { $defs, ...root } = publishSchema(composed("v1"));
  const { SessionId: _, ...others } = $defs!;
  writeFileSync(
    join(folder, "v1.json"),
    JSON.stringify({ ...root, $defs: { ...others, SessionId: { type: "integer" } } }),
  );
  return {
    read: async (url) =>
      url.includes("crates")
        ? crates.map((one) => JSON.stringify(one)).join("\n")
        : JSON.stringify({ version: "2.4.0" }),
    fetchSchemas: async () => folder,
  };
}

const known = { crate: "1.20.0", npm: "2.4.0" };

test("a newer release makes an issue with the differences of each schema", async () => {
  const network = networkWith(
    ...[
      { vers: "1.9.0", yanked: false },
      { vers: "1.21.0", yanked: false },
    ],
    ...[
      { vers: "1.22.0", yanked: true },
      { vers: "1.23.0-rc.1", yanked: false },
    ],
  );
  const { title, body } = (await findNews(known, network))!;
  expect(title).toBe("Follow crate 1.21.0");
  expect(body).toMatch(/^## crate 1\.21\.0, after 1\.20\.0\n\n### v1\n/);
  expect(body).toContain("SessionId");
});

test("a release that is followed makes none", async () => {
  const network = networkWith({ vers: "1.20.0", yanked: false });
  expect(await findNews(known, network)).toBeUndefined();
});

test("the weekly workflow opens one issue for a newer npm package", () => {
  const workflow = readFileSync(join(ROOT, ".github/workflows/upstream.yml"), "utf8");
  const [, script] = /run: npx tsx (\S+)$/m.exec(workflow)!;
  const release = { npm: "999.0.0", crate: "0.0.1" };
  writeFileSync(
    join(folder, "network.mjs"),
    `globalThis.fetch = async (url) => new Response(JSON.stringify(
       url.includes("crates") ? { vers: "${release.crate}", yanked: false } : { version: "${release.npm}" }));`,
  );
  mkdirSync(join(folder, "package/schema"), { recursive: true });
  const published = "node_modules/@agentclientprotocol/sdk/schema/v1/schema.json";
  copyFileSync(join(ROOT, published), join(folder, "package/schema/v1.json"));
  command("npm", `tar -czf "$4/sdk.tgz" -C "${folder}" package/schema && echo sdk.tgz`);
  command("gh", `echo "$@" >> "${folder}/gh.log"; [ "$2" != list ] || cat "${folder}/open.json"`);
  const run = (open: readonly object[]): string => {
    writeFileSync(join(folder, "open.json"), JSON.stringify(open));
    const loaders = ["tsx", join(folder, "network.mjs")].flatMap((one) => ["--import", one]);
    return execFileSync(process.execPath, [...loaders, script!], {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
    });
  };
  run([]);
  expect(readFileSync(join(folder, "gh.log"), "utf8")).toMatch(
    /^issue list .*\nissue create --title Follow npm 999\.0\.0 --body-file \S+\n$/,
  );
  expect(run([{ title: "Follow npm 999.0.0" }])).toBe('the issue "Follow npm 999.0.0" is open\n');
});

test("the reference of a newer crate is made by commands that exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const manifest = join(ROOT, "test/reference/upstream-schemas/Cargo.toml");
  expect(scripts).toHaveProperty("reference");
  expect(readFileSync(manifest, "utf8")).toContain(`"=${known.crate}"`);
});

/** Writes a command that the workflow finds before others. */
function command(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
