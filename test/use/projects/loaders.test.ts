import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/*
 * The same sources must behave in the same way however they are loaded. Loaders that compile
 * modules to CommonJS do not keep live bindings, for example: exported variables that change
 * made every invalid value pass there after the first failed decode.
 */

const SOURCE = join(ROOT, "out/typescript/src/v1/schemas.ts");
const BUILT = join(ROOT, "out/typescript/dist/v1/schemas.js");
const FOLDER = temporaryFolder();
const BUNDLE = join(FOLDER, "schemas.mjs");
const DRIVER = join(FOLDER, "driver.mjs");

/** Decodes the corpus in one process and prints a line for each value. */
const PROGRAM = `
import { readFileSync } from "node:fs";
const [, , kind, path, ...files] = process.argv;
const load = kind === "jiti"
  ? (await import(${JSON.stringify(import.meta.resolve("jiti"))})).createJiti(import.meta.url, { fsCache: false }).import(path)
  : import(path);
const schemas = await load;
for (const file of files) {
  for (const line of readFileSync(file, "utf8").split("\\n").filter(Boolean)) {
    const { def, value } = JSON.parse(line);
    const { decode } = schemas[def];
    for (const unknown of ["keep", "reject"]) {
      const { ok, notes, issues } = decode(value, { unknown });
      console.log(JSON.stringify([def, ok, notes, issues]));
    }
  }
}
`;

beforeAll(() => writeFileSync(DRIVER, PROGRAM));
const CORPUS = ["valid", "invalid", "lenient", "disagree"].map((name) =>
  join(ROOT, `test/fixtures/corpus/${name}.ndjson`),
);

function results(kind: string, path: string, flags: readonly string[] = []): readonly string[] {
  const args = [...flags, DRIVER, kind, path, ...CORPUS];
  const text = execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  return text.trim().split("\n");
}

const expected = results.bind(undefined, "import", pathToFileURL(BUILT).href);

it("the package decodes valid values and rejects invalid ones", () => {
  const lines = expected();
  expect(lines.filter((line) => /^\["\w+",true,\[\]/.test(line)).length).toBeGreaterThan(400);
  expect(lines.filter((line) => /^\["\w+",false,/.test(line)).length).toBeGreaterThan(400);
});

it.each([
  ["jiti", "jiti", SOURCE, []],
  ["tsx", "import", pathToFileURL(SOURCE).href, ["--import", import.meta.resolve("tsx")]],
] as const)("%s decodes the corpus like the built package", (_, kind, path, flags) => {
  expect(results(kind, path, flags)).toEqual(expected());
});

it("a bundle of esbuild decodes the corpus like the built package", async () => {
  const format = { bundle: true, minify: true, format: "esm", logLevel: "error" } as const;
  await build({ entryPoints: [SOURCE], outfile: BUNDLE, ...format });
  expect(results("import", pathToFileURL(BUNDLE).href)).toEqual(expected());
});
