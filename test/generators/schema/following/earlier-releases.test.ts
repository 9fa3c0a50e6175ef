import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diff } from "../../../../generators/run/diff.js";
import { lintPaths } from "../../../../generators/run/lint/lint.js";
import { extraPath, lacksExtras } from "../../../support/extras.js";
import { ROOT } from "../../../support/paths.js";
import { sources } from "../canonical.js";
import { takeBackTo210, takeBackTo220 } from "./earlier-releases.js";

const folder = mkdtempSync(join(tmpdir(), "acp-earlier-"));
const schema = join(folder, "schema");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The published schemas of release 2.1.0, by profile. */
const RELEASED = {
  v1: "sdk-2.1.0-v1-schema",
  "v1-unstable": "sdk-2.1.0-v1-schema.unstable",
  "v2-unstable": "sdk-2.1.0-v2-schema.unstable",
};

/** The releases from which the edits lead back, which have the same schemas. */
const isStart = ["2.3.0", "2.4.0"].includes(sources.protocols.get("v1")!.upstream.release);
if (!isStart) console.info("the schema follows another release than 2.4.0: skipped the way back");

const isSkipped = lacksExtras("the schemas of earlier releases") || !isStart;
describe.skipIf(isSkipped)("the release 2.1.0", () => {
  beforeAll(() => {
    cpSync(join(ROOT, "schema"), schema, { recursive: true });
    takeBackTo220(schema);
    takeBackTo210(schema);
  });

  test.each(Object.entries(RELEASED))(
    "of %s is written in documents alone, with its batches and ids",
    async (profile, name) => {
      const published = extraPath(`fixtures/published-schemas/${name}.json`);
      expect((await diff(profile, published, schema)).changes).toEqual([]);
    },
  );

  test("has no mistakes, and no entry of the bridge for later parts", () => {
    const unused = lintPaths({ schemaDirectory: schema }).findings;
    expect(unused).toEqual([]);
  });
});
