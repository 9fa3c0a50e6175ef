import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findNews, type Network } from "../../../../bin/follow/find-news.js";
import { publishSchema } from "../../../../generators/schema/compose/publish.js";
import { composed } from "../canonical.js";

const folder = mkdtempSync(join(tmpdir(), "acp-news-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
