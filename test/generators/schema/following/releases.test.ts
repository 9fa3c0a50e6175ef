import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { followRelease } from "../../../../bin/follow/follow.js";
import { readRelease, type Release } from "../../../../bin/follow/release.js";
import { findTasks } from "../../../../bin/follow/tasks.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { REFERENCE } from "../../../reference/reference.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

/** The schemas of the npm package's releases 2.1.0 and 2.2.0 without their texts. */
const EARLIER = JSON.parse(
  brotliDecompressSync(readFileSync(new URL("releases.json.br", import.meta.url))).toString(),
) as { readonly [release: string]: { readonly [profile: string]: JsonSchema } };

const earlier = (name: string): Release => ({
  schemas: new Map(Object.entries(EARLIER[name]!)),
  digests: new Map(),
});

interface Promoted {
  readonly promoted: object;
}

const folder = temporaryFolder();
const schema = join(folder, "schema");
beforeAll(() => cpSync(join(ROOT, "schema"), schema, { recursive: true }));
const SAME = ["v1", "v1-unstable", "v2", "v2-unstable"].map((profile) => [profile, []]);

describe("following a release", () => {
  const steps: readonly [name: string, release: () => Release][] = [
    ["2.2.0, back", () => earlier("2.2.0")],
    ["2.1.0, back", () => earlier("2.1.0")],
    ["2.2.0", () => earlier("2.2.0")],
    ["2.4.0", () => readRelease(join(ROOT, "node_modules/@agentclientprotocol/sdk/schema"))],
    ["the reference", () => readRelease(REFERENCE)],
  ];
  test.each(steps)("leads to the structure of %s, by the command alone", async (_, release) => {
    const { changed, differences } = await followRelease(release(), schema);
    expect([...differences]).toEqual(SAME);
    expect(changed).not.toEqual([]);
  });

  test("names the features that have become part of the base", () => {
    const promoted = (root: string, version: string): object =>
      (JSON.parse(readFileSync(join(root, version, "protocol.json"), "utf8")) as Promoted).promoted;
    for (const version of ["v1", "v2"])
      expect(promoted(schema, version)).toMatchObject(promoted(join(ROOT, "schema"), version));
  });

  test("lists the texts that a person writes, with the key words that they state", () => {
    const keyWords = JSON.parse(readFileSync(join(REFERENCE, "key-words.json"), "utf8")) as object;
    const tasks = findTasks(schema, keyWords as Parameters<typeof findTasks>[1]);
    expect(tasks.join("\n")).toMatch(/CursorId has no description.* It states MUST NOT/);
  });

  test("changes nothing where the schema is up to date", async () => {
    const current = join(folder, "current");
    cpSync(join(ROOT, "schema"), current, { recursive: true });
    expect((await followRelease(readRelease(REFERENCE), current)).changed).toEqual([]);
  });
});
