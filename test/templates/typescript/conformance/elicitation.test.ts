import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  checkElicitation,
  elicitationDefaults,
} from "../../../../templates/typescript/runtime/conformance/elicitation.js";
import { ROOT } from "../../../support/paths.js";

interface Case {
  readonly name: string;
  readonly schema: object;
  readonly content?: unknown;
  readonly issues: readonly object[];
  readonly defaults?: object;
}

const path = join(ROOT, "test/fixtures/elicitations.json");
const cases = JSON.parse(readFileSync(path, "utf8")) as readonly Case[];

test.each(cases)("$name", ({ schema, content, issues, defaults = {} }) => {
  const found = checkElicitation(schema, content);
  expect(found.map(({ pointer, rule }) => ({ pointer, rule }))).toEqual(issues);
  expect(elicitationDefaults(schema)).toEqual(defaults);
});
