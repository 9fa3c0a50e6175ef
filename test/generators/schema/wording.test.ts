import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  hedgesIn,
  textsOf as textsOfSchema,
} from "../../../generators/schema/lint/rules/hedges.js";
import { indexSources } from "../../../generators/schema/lint/source-index.js";
import { loadDocs } from "../../../generators/schema/source/load-docs.js";
import { ROOT } from "../../support/paths.js";
import { sources } from "./canonical.js";

/** Phrases that our descriptions do without, and the words to use. */
const PHRASES: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b)/, instead: '"is not a"' },
  { pattern: /\bwhat (?:is|are)\b/i, instead: "the noun" },
  { pattern: /(?:^|[.:;] )what\b(?! (?:is|are)\b)/i, instead: "the noun" },
  { pattern: /\b(?:tells?|told)\b/, instead: '"reports"' },
  { pattern: /\bgo(?:es)? by\b/, instead: '"uses"' },
  { pattern: /\bgo(?:es|ing)? on\b/, instead: '"continues"' },
  { pattern: /\b(?:has|have|had) to\b/, instead: '"must" or "needs to"' },
  { pattern: /\bof late\b/, instead: '"recently"' },
  { pattern: /\b(?:is|are) meant\b/, instead: '"refers to"' },
  { pattern: /\btakes? (?:the|its|their) place\b/, instead: '"replaces"' },
  { pattern: /\b(?:canceled|canceling|call(?:s|ed)? off)\b/, instead: '"cancelled"' },
  { pattern: /\b(?:tidy|tidied|tidies)\b/, instead: '"normalize"' },
  { pattern: /\bputs? (?:\w+ )?away\b/, instead: '"archive"' },
  { pattern: /\bma(?:de|kes?)[ -]up\b/, instead: '"generate"' },
  { pattern: /\bin words for people\b/, instead: '"human-readable"' },
];

/** The longest sentence, in words. */
const MOST_WORDS = 40;

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

/** Returns the faults of wording in a text. */
function faultsOf(text: string): string[] {
  const long = text
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => sentence.split(/\s+/).length > MOST_WORDS)
    .map((sentence) => `split the sentence: ${sentence}`);
  const phrases = PHRASES.flatMap(({ pattern, instead }) => {
    const [match] = pattern.exec(text) ?? [];
    return match === undefined ? [] : [`use ${instead} for "${match}"`];
  });
  return [...phrases, ...long];
}

test("the texts of the schema use the words of technical English", () => {
  const texts = [...sources.protocols.values()].flatMap((protocol) => [
    ...textsOfSchema(indexSources(protocol)),
  ]);
  const faults = texts.flatMap(({ file, pointer, text }) =>
    faultsOf(text).map((fault) => `${file}#${pointer}: ${fault}`),
  );
  expect(texts.length).toBeGreaterThan(1000);
  expect(faults).toEqual([]);
});

describe("the texts of the site outside of the schema", () => {
  const { asked: _, ...docs } = loadDocs(join(ROOT, "schema"));
  const texts = textsOf(docs);

  test("follow the rules of wording for descriptions", () => {
    const faults = texts.flatMap(([place, text]) =>
      [...hedgesIn(text), ...faultsOf(text)].map((fault) => `${place}: ${fault}: ${text}`),
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
