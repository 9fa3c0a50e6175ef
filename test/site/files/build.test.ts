import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { methodErrors } from "../../../generators/emit/docs/facts/method-errors.js";
import type { Site } from "../../../generators/emit/docs/site-types.js";
import { isOf } from "../../../generators/schema/source/docs-source.js";
import { loadDocs } from "../../../generators/schema/source/load-docs.js";
import { ROOT } from "../../support/paths.js";
import { compileSite } from "../support/compile-site.js";
import { loadProtocols, openSite } from "../support/site.js";
import { deepTest } from "../../support/deep.js";

const folder = mkdtempSync(join(tmpdir(), "acp-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

deepTest("two builds have the same bytes, without network access", async () => {
  const connect = vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
    throw new Error("the build asks the network");
  });
  onTestFinished(() => connect.mockRestore());
  const [one, other] = [(await openSite()).files, await compileSite(loadProtocols())];
  expect([...other.keys()].sort()).toEqual([...one.keys()]);
  for (const [path, text] of other) if (one.get(path) !== text) expect.fail(`${path} is different`);
});

deepTest(
  "a build in another time zone, language and folder is the same, and takes at most 30 CPU seconds and 400 MB for 1,500 pages",
  async () => {
    const program = `
      import { generate } from ${JSON.stringify(join(ROOT, "generators/run/generate/generate.ts"))};
      await generate({ targets: ["docs"], out: ${JSON.stringify(folder)} });
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      console.log(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 }));`;
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      readonly scripts: { readonly docs: string };
    };
    // As `npm run docs` does it: `node <flags> generators/cli/main.ts docs`.
    const flags = scripts.docs.split(" ").slice(1, -2);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...flags, "--input-type=module", "--eval", program],
      {
        cwd: ROOT,
        encoding: "utf8",
        env: {
          ...process.env,
          TZ: "Pacific/Kiritimati",
          LANG: "tr_TR.UTF-8",
          LC_ALL: "tr_TR.UTF-8",
        },
      },
    );
    expect(stderr).toBe("");
    const { seconds, megabytes } = JSON.parse(stdout) as {
      readonly seconds: number;
      readonly megabytes: number;
    };
    const { files } = await openSite();
    const pages = [...files.keys()].filter((path) => path.endsWith(".html")).length;
    expect(pages).toBeGreaterThan(1500);
    expect(seconds).toBeLessThan((30 * pages) / 1500);
    expect(megabytes).toBeLessThan(400);
    for (const [path, text] of files) {
      const written = readFileSync(join(folder, "site", path), "utf8");
      if (written !== text) expect.fail(`${path} is different`);
    }
  },
  300_000,
);

test("every entry of the site's texts is used by some profile", async () => {
  const docs = loadDocs(join(ROOT, "schema"));
  const protocols = loadProtocols();
  const has = (method: string, only: { readonly only?: readonly string[] }): boolean =>
    protocols.some(
      ({ version, methods }) => isOf(only, version) && methods.some(({ name }) => name === method),
    );
  const unused = [
    ...Object.entries({ ...docs.errors }).flatMap(([method, entries]) =>
      entries.filter((entry) => !has(method, entry)).map(({ code }) => `errors ${method} ${code}`),
    ),
    ...Object.entries(docs.after).flatMap(([method, entries]) =>
      entries.filter((entry) => !has(method, entry)).map(() => `after ${method}`),
    ),
    ...docs.conventions.flatMap((rule) =>
      rule.methods
        .filter((method) => !has(method, {}))
        .map((method) => `rule ${rule.id} ${method}`),
    ),
    ...docs.flows.flatMap(({ id, features = [] }) =>
      features
        .filter(
          (name) =>
            !protocols.some(({ features: on }) => on.some((feature) => feature.name === name)),
        )
        .map((name) => `flow ${id} ${name}`),
    ),
  ];
  expect(unused).toEqual([]);
});

test("every request has its own errors, and every page names the next one", async () => {
  const docs = loadDocs(join(ROOT, "schema"));
  const protocols = loadProtocols();
  for (const protocol of protocols) {
    const { methods, version } = protocol;
    for (const method of methods) {
      const { name, kind } = method;
      const errors = methodErrors(method, { protocol, docs } as Site);
      if (kind === "request") expect(errors.length, `${version} ${name}`).toBeGreaterThan(0);
      const after = (docs.after[name] ?? []).filter((entry) => isOf(entry, version));
      expect(after.length, `${version} ${name}`).toBeGreaterThan(0);
    }
  }
});
