import { ownFields } from "../../../model/map-shape.js";
import type { Shape } from "../../../model/shape.js";
import { visitShape } from "../../../model/visit-shape.js";
import type { CodeBlock, Inline } from "../../../output/markup.js";
import { clip, inScript } from "../../../output/text.js";
import { urlToken } from "../../../output/url.js";
import { ERRORS_PATH } from "../model/method-errors.js";
import { conventionsOf, RULES_PATH } from "../model/profile-rules.js";
import { NO_DOCS, type DocsSource } from "../../../schema/source/docs-source.js";
import { stepId } from "../model/type-uses.js";
import { createPageScope } from "../components/scope.js";
import { inlineText, type Block } from "../blocks/block.js";
import { LOSSES_PATH } from "../paths.js";
import type { RootPage } from "../root-page.js";
import type { Article, Site } from "../model/site.js";

/**
 * A page, or a part of one, that can be found: its address below the profile's folder, whether a
 * feature adds it, a line about it, and further words that find it.
 */
interface Entry {
  readonly name: string;
  readonly path: string;
  readonly kind: string;
  readonly added: 0 | 1;
  readonly about: string;
  readonly words: string;
}

/**
 * Returns the script that searches a whole site: the index and the code that searches it. A page
 * that is opened as a file may load scripts, but not read JSON.
 *
 * @param rootPages the pages above the profiles
 * @param core the bundled code, which reads `acpSearchIndex`
 */
export function searchScript(
  sites: readonly Site[],
  rootPages: readonly RootPage[],
  core: string,
): string {
  // Entries that several profiles have are in the index once, with a bit for each profile.
  const merged = new Map<string, { mask: number; words: string; asked: readonly string[] }>();
  const docs = sites[0]?.docs ?? NO_DOCS;
  const merge = (mask: number, { words, ...shown }: Entry): void => {
    const { name, path, kind, added, about } = shown;
    // The name in an address is left out: no address has a star.
    const short = path.replace(name, "*");
    const key = JSON.stringify([name, short, kind, added, about, formerNamesOf(name, docs)]);
    const known = merged.get(key) ?? { mask: 0, words: "", asked: askedAt(path, docs) };
    const more = distinctWords(words, known.words);
    const all = `${known.words} ${more}`.trim();
    merged.set(key, { ...known, mask: known.mask | mask, words: all });
  };
  for (const [bit, site] of sites.entries())
    for (const entry of entriesOf(site)) merge(1 << bit, entry);
  const everywhere = (1 << sites.length) - 1;
  for (const page of rootPages) for (const entry of rootEntries(page)) merge(everywhere, entry);
  const profiles = sites.map(({ protocol }) => [protocol.profile, protocol.title]);
  const rows = [...merged].map(([key, { mask }]) => [
    ...(JSON.parse(key) as readonly unknown[]),
    mask,
  ]);
  const found = [...merged.values()];
  const words = withoutForms([
    ...found.map((entry) => entry.words.split(" ")),
    ...found.map((entry) => entry.asked),
  ]);
  const alike = docs.alike.map((line) => line.split(" "));
  const index = {
    ...{ profiles, alike, columns: columnsOf(rows) },
    ...packWords(words.slice(0, rows.length), words.slice(rows.length)),
  };
  const json = inScript(index).replace(/[\u2028\u2029]/g, " ");
  return `globalThis.acpSearchIndex=${json};\n${core}`;
}

/** Returns the columns of rows: values of one kind next to each other take less space when compressed. */
function columnsOf(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return (rows[0] ?? []).map((_, at) => rows.map((row) => row[at]));
}

/** The names that a method had in earlier drafts. */
function formerNamesOf(name: string, { formerNames }: Pick<DocsSource, "formerNames">): string {
  const former = formerNames.filter(({ to }) => to === name);
  return former.map((one) => one.name).join(" ");
}

/** The words of the questions that are answered at an address. */
function askedAt(path: string, { asked }: Pick<DocsSource, "asked">): readonly string[] {
  const address = path.replace("../", "");
  return Object.hasOwn(asked, address) ? asked[address]!.split(" ") : [];
}

function entriesOf(site: Site): readonly Entry[] {
  const { protocol, methodPaths, typePaths, articles } = site;
  const codes = site.errors?.codes?.shape.values ?? [];
  return [
    ...articles
      .filter(({ group }) => group !== "hidden")
      .flatMap((article) => articleEntries(article, site)),
    ...protocol.methods.map(({ name, kind, feature, summary, description }): Entry => ({
      ...{ name, path: methodPaths.get(name)!, kind, added: flag(feature) },
      about: summary,
      words: distinctWords(description, summary),
    })),
    ...protocol.definitions.map(({ name, feature, description, shape }): Entry => {
      const about = clip(description.replaceAll("`", ""), 70);
      const fields = ownFields(shape).filter((field) => field.name !== "_meta");
      const texts = fields.flatMap((field) => [field.name, field.description ?? ""]);
      const words = distinctWords([description, ...texts].join(" "), about);
      const path = typePaths.get(name)!;
      return { name, path, kind: "type", added: flag(feature), about, words };
    }),
    ...protocol.definitions.flatMap(({ name, feature, shape }) =>
      values(shape).map(([value, id, added]): Entry => ({
        ...{ name: value, path: `${typePaths.get(name)!}#${id}`, kind: "value" },
        // The search adds the type, which is in the path.
        ...{ added: feature === undefined ? added : 1, about: "", words: "" },
      })),
    ),
    ...codes.map(({ value, title = "", feature }): Entry => ({
      ...{ name: String(value), path: `${ERRORS_PATH}#e${value}`, kind: "error" },
      ...{ added: flag(feature), about: title, words: "" },
    })),
    ...conventionsOf(site).map(({ id, rule, reason }): Entry => {
      const about = clip(rule.replaceAll("`", ""), 70);
      const words = distinctWords(`${rule} ${reason}`, about);
      return { name: id, path: `${RULES_PATH}#rule-${id}`, kind: "rule", added: 0, about, words };
    }),
  ];
}

/** The page itself, and the sections of a guide, each with the words of its text. */
function articleEntries(article: Article, site: Site): readonly Entry[] {
  const { title, path, summary, group } = article;
  if (group !== "learn" && group !== "concepts" && path !== "naming.html") {
    const blocks = group === "tools" ? article.blocks(createPageScope(site, path)) : [];
    const words = distinctWords(wordsIn(blocks), summary);
    return [{ name: title, path, kind: "page", added: 0, about: summary, words }];
  }
  return sectionEntries({ title, path, summary }, article.blocks(createPageScope(site, path)));
}

/** A page above the profiles, and its sections. */
function rootEntries({ title, path, lead, blocks }: RootPage): readonly Entry[] {
  // Of a long page the headings and the symbols are enough.
  const isLong = blocks.length > LONG;
  const found = isLong
    ? blocks.filter((one) => !(one.table ?? one.paragraph ?? one.items))
    : blocks;
  const entries = sectionEntries({ title, path: `../${path}`, summary: lead }, found);
  // A list of pages has the words of all of them, and the areas of the losses have names of other pages.
  if (path.endsWith("index.html")) return [{ ...entries[0]!, words: "" }];
  return path === LOSSES_PATH ? entries.slice(0, 1) : entries;
}

/** A page, and each of its sections, with the words of its text. */
function sectionEntries(
  { title, path, summary }: Pick<Article, "title" | "path" | "summary">,
  blocks: readonly Block[],
): readonly Entry[] {
  const sections = [{ name: title, id: "", text: "" }];
  for (const block of blocks) {
    const head = block.heading ?? block.subheading;
    if (head !== undefined) sections.push({ name: inlineText(head.text), id: head.id, text: "" });
    sections.at(-1)!.text += ` ${wordsIn(block)}`;
  }
  return sections.map(({ name, id, text }, index): Entry => {
    if (index === 0)
      return {
        name,
        path,
        kind: "page",
        added: 0,
        about: summary,
        words: distinctWords(text, summary),
      };
    // The search adds the page, which is in the path.
    const words = distinctWords(text, name);
    return { name, path: `${path}#${id}`, kind: "section", added: 0, about: "", words };
  });
}

/**
 * Returns the words in a view: all text that is not code, and the names in programs that nobody would
 * write in a text, of functions and types.
 */
function wordsIn(view: unknown): string {
  if (typeof view !== "object" || view === null) return "";
  if (Array.isArray(view)) return view.map(wordsIn).join(" ");
  const leaf = view as Inline | CodeBlock | { readonly markup?: "url" };
  if (leaf.markup === "inline") return inlineText(leaf);
  if (leaf.markup === "block")
    return /^(ts|py)$/.test(leaf.language) ? (leaf.text.match(SYMBOL) ?? []).join(" ") : "";
  return leaf.markup === "url" ? "" : Object.values(view).map(wordsIn).join(" ");
}

const SYMBOL = /\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+|[a-z]+(?:_[a-z]+)+)\b/g;

/** Pages above the profiles with more blocks are long: the READMEs of the packages. */
const LONG = 45;

/** Words that are on most pages. */
const COMMON = new Set(
  "the and for that this with are its not has can from when which one all may must each only also then than was does have been into other any there their they what who how but after before while same by own should both them without every such whose itself once still whole absent none null mean means needs use used first last new sent sends send gives given another those these where because even otherwise about already between others unless cannot later never again next out you two know keep keeps part example fails names lists shows replaces absence nothing current earlier true unchanged ends ended MUST NOT SHOULD MAY".split(
    " ",
  ),
);

/**
 * Returns the different words of a text that another text does not have: names as they are, so that
 * they are readable where they match, others in lower case.
 */
function distinctWords(text: string, other: string): string {
  const wordsOf = (given: string): string[] =>
    (given.match(/[\p{L}\p{N}_/$-]+/gu) ?? []).map((word) =>
      /^\p{Lu}\p{Ll}*$/u.test(word) ? word.toLowerCase() : word,
    );
  const seen = new Set([...COMMON, ...wordsOf(other)]);
  const found = new Set(wordsOf(text).filter((word) => word.length > 2 && !seen.has(word)));
  return [...found].sort().join(" ");
}

/** Returns words without those that the search takes for another one: the forms of others. */
function withoutForms(entries: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const all = new Set(entries.flat());
  const baseOf = (word: string): string => {
    const [, base] = /^([a-z]{3,}?)(?:(?<!s)s|e?d|ing)$/.exec(word) ?? [];
    return [base, `${base}e`].find((one) => base !== undefined && all.has(one!)) ?? word;
  };
  return entries.map((words) => [...new Set(words.map(baseOf))]);
}

/**
 * The tags and listed values of a shape, with their ids. Error codes and
 * referenced types have entries of their own.
 */
function values(shape: Shape): readonly (readonly [string, string, 0 | 1])[] {
  const found: (readonly [string, string, 0 | 1])[] = [];
  visitShape(shape, {
    variant: ({ feature }, steps, tag) => {
      if (tag !== undefined) found.push([steps.at(-1)!.name, stepId(steps), flag(feature)]);
    },
    value: ({ value, feature }, steps) => {
      if (typeof value !== "string") return;
      const prefix = steps.length === 0 ? "" : `${stepId(steps)}.`;
      found.push([value, `${prefix}value-${urlToken(value)}`, flag(feature)]);
    },
    enter: ({ kind }) => kind === "object",
  });
  return found;
}

function flag(feature: string | undefined): 0 | 1 {
  return feature === undefined ? 0 : 1;
}

/**
 * Returns the words of entries as an index, each word once: half as large, compressed, as the
 * entries with their words. `templates/site/assets/search.js` unpacks it.
 *
 * @param mentioned the words in the text of each entry
 * @param asked those of the questions that it answers
 * @returns `words`: sorted; of each the length of the start that it shares with the one before, in
 *   base 36, and what follows; `places`: for each word a character per entry that mentions it, whose
 *   code is the distance from the entry before, and after a `!` one per entry that it asks for
 */
function packWords(
  mentioned: readonly (readonly string[])[],
  asked: readonly (readonly string[])[],
): { readonly words: string; readonly places: string } {
  const [mentions, questions] = [mentioned, asked].map(placesByWord);
  const sorted = [...new Set([...mentions!.keys(), ...questions!.keys()])].sort();
  const words = sorted.map((word, index) => {
    const shared = sharedStart(word, sorted[index - 1] ?? "");
    return shared.toString(36) + word.slice(shared);
  });
  const places = sorted.map((word) => {
    const [mentioning, asking] = [mentions, questions].map((all) =>
      distances(all!.get(word) ?? []),
    );
    return asking === "" ? mentioning : `${mentioning}!${asking}`;
  });
  return { words: words.join(" "), places: places.join(" ") };
}

function placesByWord(entries: readonly (readonly string[])[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, words] of entries.entries())
    for (const word of words)
      if (word !== "") places.set(word, [...(places.get(word) ?? []), place]);
  return places;
}

function distances(places: readonly number[]): string {
  const codes = places.map((place, index) => FIRST + place - (places[index - 1] ?? 0));
  return String.fromCharCode(...codes);
}

/** The code of the distance 0: JSON needs no escape for it and most that follow. */
const FIRST = 35;

/** At most 35: one digit. */
function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < 35 && length < one.length && one[length] === other[length]) length++;
  return length;
}
