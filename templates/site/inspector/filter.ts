import { alike } from "./spelling.js";
import type { TimelineRow } from "./timeline.js";

/** Returns whether a row is shown. */
export type RowFilter = (row: TimelineRow) => boolean;

/** The words of a filter that have a meaning, each with what follows its colon. */
const WORDS: { readonly [name: string]: (value: string) => RowFilter | undefined } = {
  method: (value) => (row) => row.method?.includes(value.split("*")[0]!) ?? false,
  session: (value) => (row) => row.session?.startsWith(value) ?? false,
  kind: (value) => (row) => row.kind === value || row.update === value,
  from: (value) =>
    value === "agent" || value === "client" ? (row) => row.from === value : undefined,
  is: (value) =>
    value === "finding"
      ? (row) => row.findings.length > 0
      : value === "error"
        ? (row) => row.isError === true || row.findings.some(({ level }) => level === "error")
        : undefined,
  slow: (value) => {
    const match = /^>?(\d+(?:\.\d+)?)(ms|s)?$/.exec(value);
    if (match === null) return undefined;
    const least = Number(match[1]) * (match[2] === "ms" ? 1 : 1000);
    return ({ ms }) => ms !== undefined && ms >= least;
  },
};

/**
 * Reads the words of a filter, such as `method:session/prompt is:finding slow:>1s text`. A row has
 * to fit all of them, and none that begins with a hyphen.
 *
 * @throws SyntaxError for a word that has no meaning
 */
export function parseFilter(text: string): RowFilter {
  const filters = text.split(/\s+/).filter(Boolean).map(parseWord);
  return (row) => filters.every((fits) => fits(row));
}

function parseWord(word: string): RowFilter {
  const [, isExcluded, name = "", value = ""] = /^(-?)(?:([a-z]+):)?(.*)$/s.exec(word)!;
  const isText = !Object.hasOwn(WORDS, name) && alike(name, Object.keys(WORDS)).length === 0;
  const text = word.slice(isExcluded!.length).toLowerCase();
  const fits = isText ? (row: TimelineRow) => hasText(row, text) : WORDS[name]?.(value);
  if (fits === undefined) throw new SyntaxError(`the filter ${word} has no meaning`);
  return isExcluded ? (row) => !fits(row) : fits;
}

function hasText(
  { text, method = "", update = "", findings, message }: TimelineRow,
  word: string,
): boolean {
  const texts = [
    text,
    method,
    update,
    ...findings.map(({ rule, message }) => `${rule} ${message}`),
  ];
  const has = (part: string): boolean => part.toLowerCase().includes(word);
  return texts.some(has) || (message !== undefined && has(JSON.stringify(message)));
}
