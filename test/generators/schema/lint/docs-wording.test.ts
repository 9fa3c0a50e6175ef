import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hedgesIn, wordingFaults } from "../../../../generators/schema/lint/rules/wording.js";
import { loadDocs } from "../../../../generators/schema/source/load-docs.js";
import { ROOT } from "../../../support/paths.js";

/** Members of the documents that are messages or names, not texts. */
const NO_TEXT = new Set(["message", "params", "result", "error", "id", "method", "answers"]);

/** Collects the texts of a document with their places. */
function textsOf(value: unknown, place = ""): [place: string, text: string][] {
  if (typeof value === "string") return [[place, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => !NO_TEXT.has(key))
    .flatMap(([key, part]) => textsOf(part, `${place}/${key}`));
}

test("a phrase that two rules match is reported once", () => {
  expect(wordingFaults("It shows what is left.").map(({ fault }) => fault)).toEqual([
    'says "what is"',
  ]);
  expect(wordingFaults("A list: what is left.")).toHaveLength(1);
  expect(wordingFaults("A list: what remains.")).toHaveLength(1);
});

describe("the texts of the site outside of the schema", () => {
  const texts = textsOf(loadDocs(join(ROOT, "schema")));

  test("follow the rules of wording for descriptions", () => {
    const faults = texts.flatMap(([place, text]) =>
      [...hedgesIn(text), ...wordingFaults(text)].map(({ fault }) => `${place} ${fault}: ${text}`),
    );
    expect(texts.length).toBeGreaterThan(300);
    expect(faults).toEqual([]);
  });

  test("do not mention unpublished documents", () => {
    const faults = texts.filter(([, text]) =>
      /\b(?:older|earlier) (?:list|guide|example|one)s?\b/i.test(text),
    );
    expect(faults).toEqual([]);
  });
});
