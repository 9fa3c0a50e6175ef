import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { extraPath, hasExtras, lacksExtras } from "../../support/extras.js";
import { IS_DEEP } from "../../support/deep.js";
import { findTypeErrors } from "../../use/projects/find-type-errors.js";

const folder = mkdtempSync(join(tmpdir(), "acp-published-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PUBLISHED = extraPath("fixtures/published-schemas");
const OTHER = extraPath("fixtures/other-protocols");

/** Every schema in the deep run; one of another protocol in the quick one. */
const QUICK = ["dap"];

interface Case {
  readonly name: string;
  readonly schema: string;
  readonly meta?: string;
}

function schemasIn(path: string): readonly Case[] {
  if (!hasExtras) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(".json") && !/meta\.json$|^index/.test(name))
    .filter((name) => IS_DEEP || QUICK.some((one) => name.startsWith(one)))
    .map((name) => {
      const meta = join(path, name.replace(/\.json$/, ".meta.json"));
      return { name, schema: join(path, name), ...(existsSync(meta) && { meta }) };
    });
}

describe.skipIf(lacksExtras("published schemas of ACP, MCP and DAP"))("a published schema", () => {
  const cases = [...schemasIn(PUBLISHED), ...schemasIn(OTHER)];
  test.each(cases)("$name compiles and type-checks", { timeout: 120_000 }, async (given) => {
    const { name, schema, meta } = given;
    const out = join(folder, name);
    const allowUnknownKeywords = ["_enum", "enumDescriptions"];
    const protocol = name.includes("v2-schema") ? "v2" : "v1";
    await generate({
      ...{ schema, out, allowUnknownKeywords, name: "published" },
      ...(meta === undefined ? { protocol } : { meta }),
    });
    expect(findTypeErrors([join(out, "typescript/src/published/index.ts")])).toEqual([]);
  });
});
