import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildProtocol } from "../../../generators/model/build/build.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { Bundle } from "../../../generators/schema/compose/bundle.js";
import { compose } from "../../../generators/schema/compose.js";
import { createDialectCheck, DOCUMENT_KINDS } from "../../../generators/schema/source/dialect.js";
import { importSchema } from "../../../generators/schema/import/import-schema.js";
import type { JsonObject, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { InputError, type Problem } from "../../../generators/schema/problem.js";
import { hasExtras } from "../../support/extras.js";
import { createCodeFolder, type CodeFolder } from "../../support/code-folder.js";
import { ROOT } from "../../support/paths.js";
import { protocolOf } from "../../generators/schema/sources.js";
import { loadSchemas } from "./load-schemas.js";
import { suiteCases, type SuiteCase } from "./suite-cases.js";

/** Why the dialect refuses a schema of the suite: every reason that occurs, none that does not. */
const REASONS: { readonly [reason: string]: RegExp } = {
  "schemas are objects, not booleans": /must be object/,
  "a keyword that the dialect does not have": /^unknown keyword/,
  "objects are never closed": /^the value must be true/,
  "lists of schemas are not empty": /must not be empty/,
  "references lead to definitions": /does not have the form \^#|^unknown definition/,
  "what is derived is not declared": /^"(not|propertyNames|patternProperties)" is derived/,
  "limits are numbers": /^the value must be number(,|$)/,
  "patterns are those of every language": /which not every language has$|can take very long/,
  "formats are those that the protocol has": /not one of the allowed values/,
  "what is required is described": /is not described$/,
  "only objects are combined":
    /^only objects can be combined with allOf|cannot be combined with allOf$/,
  "nothing is lost between schema and model": /has no form in the model and would be lost$/,
};

const check = createDialectCheck(
  new Map(
    DOCUMENT_KINDS.map((kind) => {
      const file = join(ROOT, `schema/dialect/${kind}.schema.json`);
      return [kind, JSON.parse(readFileSync(file, "utf8")) as JsonObject];
    }),
  ),
);

/** How a schema gets in: as one of our modules, or in upstream's format. */
const DOORS: { readonly [door: string]: (definitions: JsonObject) => Bundle } = {
  "a module": (definitions) => {
    refuse(
      check(
        "module",
        { $schema: "module.schema.json", title: "T", description: "T.", $defs: definitions },
        "module.json",
      ),
    );
    return compose(protocolOf(definitions as { readonly [name: string]: JsonSchema }), []);
  },
  "an imported schema": (definitions) => {
    const schema = { $defs: definitions as { readonly [name: string]: JsonSchema } };
    refuse(check("published", schema, "schema.json"));
    const problems: Problem[] = [];
    const bundle = importSchema(
      schema,
      {
        name: "suite",
        file: "schema.json",
        protocol: { name: "v9", number: 9 },
        release: "1.0.0",
        digest: "",
        allowsPatterns: false,
      },
      problems,
    );
    refuse(problems);
    return bundle;
  },
};

function refuse(problems: ConstructorParameters<typeof InputError>[0]): void {
  if (problems.length > 0) throw new InputError(problems);
}

/** The results of the suite at one entry point. */
interface Report {
  readonly right: number;
  readonly wrong: readonly string[];
  readonly refusals: readonly string[];
}

const CASES = suiteCases();

async function validateAll(door: string, folder: CodeFolder): Promise<Report> {
  const build = (definitions: JsonObject): Protocol => {
    const name = door.replaceAll(" ", "-");
    return buildProtocol(DOORS[door]!(definitions), { name, title: name, description: name });
  };
  const refusals = new Map(
    CASES.map((one): [SuiteCase, string | undefined] => [
      one,
      refusal(() => build(one.definitions)),
    ]),
  );
  const accepted = CASES.filter((one) => refusals.get(one) === undefined);
  const together = Object.assign(
    {},
    ...accepted.map(({ definitions }) => definitions),
  ) as JsonObject;
  const schemaOf = await loadSchemas(folder, build(together));
  const results = accepted.flatMap(({ name, definition, tests }) =>
    tests.map(({ description, data, valid }) => ({
      name: `${name}: ${description}: ${JSON.stringify(data)}`,
      isRight: schemaOf(definition).is(data) === valid,
    })),
  );
  return {
    right: results.filter(({ isRight }) => isRight).length,
    wrong: results.filter(({ isRight }) => !isRight).map(({ name }) => name),
    refusals: [...refusals.values()].filter((message) => message !== undefined),
  };
}

/** Why something is refused; nothing when it is not. */
function refusal(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems[0]!.message;
  }
}

describe("of the official JSON Schema tests", () => {
  const reports = new Map<string, Report>();
  const folder = createCodeFolder();
  beforeAll(async () => {
    for (const door of Object.keys(DOORS)) reports.set(door, await validateAll(door, folder));
  });

  it.each(Object.keys(DOORS))(
    "every schema that %s may have gives the expected result for every value",
    (door) => {
      const { wrong, right } = reports.get(door)!;
      expect(wrong).toEqual([]);
      // A fifth of all values; the rest belongs to schemas that are refused.
      expect(right).toBeGreaterThan(hasExtras ? 230 : 75);
    },
  );

  it("every reason for refusing a schema is known, and occurs in the tests of 2020-12", () => {
    const messages = [...reports.values()].flatMap(({ refusals }) => [...refusals]);
    const found = messages.map(
      (message) => Object.keys(REASONS).find((reason) => REASONS[reason]!.test(message)) ?? message,
    );
    expect(Object.keys(REASONS)).toEqual(expect.arrayContaining(found));
    if (hasExtras) expect(new Set(found)).toEqual(new Set(Object.keys(REASONS)));
  });
});
