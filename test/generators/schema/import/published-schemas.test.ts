import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createJiti } from "jiti";
import { describe, expect, test } from "vitest";
import { generate } from "../../../../generators/run/generate/generate.js";
import { extraPath, hasExtras, lacksExtras } from "../../../support/extras.js";
import { readLines } from "../../../support/read-lines.js";
import { IS_DEEP } from "../../../support/deep.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { findTypeErrors } from "../../../use/projects/find-type-errors.js";

const folder = temporaryFolder();
const PUBLISHED = extraPath("fixtures/published-schemas");
const OTHER = extraPath("fixtures/other-protocols");

/** Every schema in the deep run, one in the quick one. */
const QUICK = ["v0.5.0"];

interface Case {
  readonly name: string;
  readonly schema: string;
  readonly meta?: string;
}

interface Example {
  readonly definition: string;
  readonly name: string;
  readonly value: unknown;
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

  test("of MCP takes every official example", async () => {
    const out = join(folder, "examples");
    await generate({
      schema: join(OTHER, "mcp-2026-07-28.json"),
      ...{ out, name: "published", protocol: "v1", targets: ["types", "schemas"] },
    });
    writeFileSync(join(out, "package.json"), '{"type":"module"}');
    const schemas = await createJiti(import.meta.url).import<{
      readonly [definition: string]: { readonly issues: (value: unknown) => readonly unknown[] };
    }>(join(out, "typescript/src/published/schemas.ts"));
    const examples = readLines<Example>(join(OTHER, "mcp-2026-07-28-examples.ndjson"));
    expect(examples.length).toBeGreaterThan(80);
    const refused = examples.flatMap(({ definition, name, value }) => {
      const issues = schemas[definition]!.issues(value);
      return issues.length === 0 ? [] : [{ definition, name, issues }];
    });
    expect(refused).toEqual([]);
  });
});
