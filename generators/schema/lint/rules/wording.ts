import type { Diagnostic } from "../rule.js";
import { nameOf, partsOf, pointerTo, type SourceIndex } from "../source-index.js";

/** A phrase that a description must not have, and the words to use. */
interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Texts of a version say what holds in it; `x-descriptions` has a text for each version. */
const HEDGES: readonly Phrase[] = [
  { pattern: /\bdepends? on the (?:protocol )?version\b/i, instead: "the rule of this version" },
  { pattern: /\bwhere (?:the|a) protocol version\b/i, instead: "the rule of this version" },
  { pattern: /\bin some (?:protocol )?versions\b/i, instead: "the rule of this version" },
];

const PHRASES: readonly Phrase[] = [
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

/** Returns the faults of wording in a text, as clauses: `says "has to"`. */
export function wordingFaults(text: string): { readonly fault: string; readonly hint: string }[] {
  const long = text
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => sentence.split(/\s+/).length > MOST_WORDS)
    .map((sentence) => ({
      fault: `has a sentence of ${sentence.split(/\s+/).length} words`,
      hint: `Split it: ${MOST_WORDS} words are the limit.`,
    }));
  return [...found(text, PHRASES), ...long];
}

/** Returns the hedges between protocol versions in a text. */
export function hedgesIn(text: string): { readonly fault: string; readonly hint: string }[] {
  return found(text, HEDGES);
}

function found(text: string, phrases: readonly Phrase[]): { fault: string; hint: string }[] {
  return phrases.flatMap(({ pattern, instead }) => {
    const [match] = pattern.exec(text) ?? [];
    return match === undefined
      ? []
      : [{ fault: `says "${match.replace(/^[.:;] /, "").trim()}"`, hint: `Use ${instead}.` }];
  });
}

/** Finds descriptions that state a rule for some version instead of this one. */
export function* findHedges(index: SourceIndex): Generator<Diagnostic> {
  yield* diagnose(index, hedgesIn);
}

/** Finds phrases and sentences that technical English does without. */
export function* findWording(index: SourceIndex): Generator<Diagnostic> {
  yield* diagnose(index, wordingFaults);
}

function* diagnose(index: SourceIndex, faultsOf: typeof hedgesIn): Generator<Diagnostic> {
  for (const { text, ...place } of textsOf(index))
    for (const { fault, hint } of faultsOf(text))
      yield { ...place, message: `the text of ${place.subject} ${fault}`, hint };
}

type Text = Pick<Diagnostic, "file" | "pointer" | "subject"> & { readonly text: string };

/** Yields every text of the sources that readers see. */
function* textsOf(index: SourceIndex): Generator<Text> {
  const { modules, features } = index.protocol;
  for (const { file, title, description } of [...modules, ...features.values()])
    yield { file, pointer: "/description", subject: title, text: description };
  for (const { of, schema, path } of partsOf(index))
    for (const keyword of ["description", "x-meta"] as const) {
      const text = schema[keyword];
      const pointer = pointerTo(of, [...path, keyword]);
      if (typeof text === "string")
        yield { file: of.file, pointer, subject: nameOf(of, path), text };
    }
  for (const { file, path, method } of index.methods)
    for (const keyword of ["summary", "description"] as const)
      yield {
        file,
        pointer: pointerTo({ path }, [keyword]),
        subject: method.name,
        text: method[keyword],
      };
}
