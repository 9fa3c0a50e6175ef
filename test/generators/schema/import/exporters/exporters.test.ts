import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { isSkipped } from "../../../../python/run-python.js";
import { IS_DEEP } from "../../../../support/deep.js";
import { extraPath } from "../../../../support/extras.js";
import { ROOT } from "../../../../support/paths.js";
import { temporaryFolder } from "../../../../support/temporary-folder.js";
import { findTypeErrors } from "../../../../use/projects/find-type-errors.js";
import { makeCases, type Cases } from "./cases.js";
import { importAll, importFolder, type Accepted, type Imported } from "./documents.js";
import { pythonVerdicts, writePackage } from "./python-verdicts.js";
import { exporterTable } from "./table.js";
import { importSchemas } from "./typescript-schemas.js";

/*
 * Schemas that exporters have written: what the manual says of each is so, and ajv agrees about the
 * values of each that is accepted with all of its constraints.
 */

const folder = temporaryFolder();
const VALUES = Number(process.env["RUNS"] ?? (IS_DEEP ? 1000 : 20));
const SEED = process.env["SEED"] ?? "20261126";

const corpus = importAll();
/** Those of a folder of one's own (`SCHEMAS`) are compared as well. */
const others = [
  ...(IS_DEEP ? [extraPath("fixtures/other-protocols")] : []),
  ...(process.env["SCHEMAS"] === undefined ? [] : [process.env["SCHEMAS"]]),
];
const published = others.flatMap(importFolder);
/** Those whose generated checks are to have the verdicts of the schema. */
const accepted = [...corpus, ...published].filter(
  (one): one is Imported & { readonly outcome: Accepted } =>
    one.outcome.isAccepted && !one.outcome.flags.includes("unknown"),
);
const protocols = accepted.map(({ outcome }) => outcome.protocol);

test("the manual has what becomes of each schema", () => {
  const page = readFileSync(join(ROOT, "templates/site/guides/tool/imports.md"), "utf8");
  const rows = (text: string): string => text.replaceAll(/ +\|/g, " |").replaceAll(/-+/g, "-");
  expect(rows(page), "npx tsx test/generators/schema/import/exporters/print-table.ts").toContain(
    rows(exporterTable(corpus)),
  );
});

/** Milliseconds: a million values take minutes. */
const slow = { timeout: 900_000 };

describe("of a schema that is accepted", () => {
  test("types compile, and generated checks have the verdicts of ajv", slow, async () => {
    const { files, schemas } = await importSchemas(protocols);
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const declarations = files.filter(({ path }) => path.endsWith("/types.ts"));
    expect(declarations).toHaveLength(accepted.length);
    expect(findTypeErrors(declarations.map(({ path }) => join(folder, path)))).toEqual([]);
    let values = 0;
    for (const { name, document, outcome } of accepted)
      for (const cases of makeCases(document, outcome, VALUES, `${SEED} ${name}`)) {
        const { is } = schemas[outcome.protocol.profile]![cases.definition]!;
        expect(differences(cases, cases.values.map(is)), name).toEqual([]);
        values += cases.values.length;
      }
    console.log(`${accepted.length} schemas of exporters accepted, ${values} values compared`);
  });

  const deep = { timeout: 1_800_000, skip: isSkipped || !IS_DEEP };
  test("the Python package can be imported, and has the verdicts of ajv", deep, async () => {
    await writePackage(protocols, folder);
    let values = 0;
    for (const { name, document, outcome } of accepted) {
      const { profile } = outcome.protocol;
      const cases = makeCases(document, outcome, VALUES, `${SEED} ${name}`);
      const given = cases.map((one) => [one.definition, one.values] as const);
      const found = pythonVerdicts(folder, { [profile]: given })[profile]!;
      cases.forEach((one, index) => {
        expect(differences(one, found[index]!), name).toEqual([]);
        values += one.values.length;
      });
    }
    console.log(`${accepted.length} schemas of exporters in Python, ${values} values compared`);
  });
});

/** Returns the values that a verdict is wrong about. */
function differences(cases: Cases, found: readonly boolean[]): readonly object[] {
  return cases.values.flatMap((value, index) => {
    const expected = cases.expected[index]!;
    const { definition } = cases;
    return found[index] === expected
      ? []
      : [{ definition, value: JSON.stringify(value), expected }];
  });
}
