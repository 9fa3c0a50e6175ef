import { fieldsOf } from "../../../model/map-shape.js";
import type { Shape } from "../../../model/shape.js";
import { visitShape } from "../../../model/visit-shape.js";
import { clip, type Inline } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import { ERRORS_PATH } from "../articles/errors-article.js";
import { RULES_PATH } from "../articles/rules-article.js";
import { isOf } from "../../../schema/source/docs-source.js";
import { stepId } from "../facts/type-uses.js";
import { createScope } from "../frame/scope.js";
import { textOf } from "../parts/block.js";
import type { Article, Site } from "../site-types.js";

/**
 * One thing that can be found: name, address below the profile's folder, kind, whether a feature
 * adds it, a line about it, further words that find it.
 */
type Entry = readonly [
  name: string,
  path: string,
  kind: string,
  added: 0 | 1,
  about: string,
  words: string,
];

/**
 * Returns the script that searches a whole site: the index and the code that searches it. A page
 * that is opened as a file may load scripts, but not read JSON.
 *
 * @param core the bundled code, which reads `acpSearchIndex`
 */
export function searchScript(sites: readonly Site[], core: string): string {
  // Entries that several profiles have are in the index once, with a bit for each profile.
  const masks = new Map<string, number>();
  for (const [bit, site] of sites.entries())
    for (const entry of entriesOf(site)) {
      const key = JSON.stringify(entry);
      masks.set(key, (masks.get(key) ?? 0) | (1 << bit));
    }
  const profiles = sites.map(({ protocol }) => [protocol.profile, protocol.title]);
  const entries = [...masks].map(([key, mask]) => [...(JSON.parse(key) as Entry), mask]);
  // An ampersand or bracket in a text must not end the script or a comment in it.
  const json = JSON.stringify({ profiles, entries })
    .replaceAll("<", "\\u003c")
    .replace(/[\u2028\u2029]/g, " ");
  return `globalThis.acpSearchIndex=${json};\n${core}`;
}

function entriesOf(site: Site): readonly Entry[] {
  const { protocol, methodPaths, typePaths, articles, docs } = site;
  const rules = docs.conventions.filter((rule) => isOf(rule, protocol.version));
  const codes = site.errors?.codes?.shape.values ?? [];
  return [
    ...articles.flatMap((article) => articleEntries(article, site)),
    ...protocol.methods.map(({ name, kind, feature, summary, description }): Entry => [
      name,
      methodPaths.get(name)!,
      kind,
      flag(feature),
      summary,
      distinctWords(description, summary),
    ]),
    ...protocol.definitions.map(({ name, feature, description, shape }): Entry => {
      const about = clip(description.replaceAll("`", ""), 70);
      const fields = fieldsOf(shape).filter((field) => field.name !== "_meta");
      const texts = fields.flatMap((field) => [field.name, field.description ?? ""]);
      const words = distinctWords([description, ...texts].join(" "), about);
      return [name, typePaths.get(name)!, "type", flag(feature), about, words];
    }),
    ...protocol.definitions.flatMap(({ name, feature, shape }) =>
      values(shape).map(([value, id, added]): Entry => [
        value,
        `${typePaths.get(name)!}#${id}`,
        "value",
        feature === undefined ? added : 1,
        `of ${name}`,
        "",
      ]),
    ),
    ...codes.map(({ value, title = "", feature }): Entry => [
      String(value),
      `${ERRORS_PATH}#e${value}`,
      "error",
      flag(feature),
      title,
      "",
    ]),
    ...rules.map(({ id, rule, reason }): Entry => {
      const about = clip(rule.replaceAll("`", ""), 70);
      const words = distinctWords(`${rule} ${reason}`, about);
      return [id, `${RULES_PATH}#rule-${id}`, "rule", 0, about, words];
    }),
  ];
}

/** The page itself, and the sections of a guide, each with the words of its text. */
function articleEntries(article: Article, site: Site): readonly Entry[] {
  const { title, path, summary, group } = article;
  if (group !== "learn") return [[title, path, "page", 0, summary, ""]];
  const sections: { name: string; id: string; text: string }[] = [
    { name: title, id: "", text: "" },
  ];
  for (const block of article.blocks(createScope(site, path))) {
    const head = block.heading ?? block.subheading;
    if (head !== undefined)
      sections.push({ name: textOf(head.text.pieces), id: head.id, text: "" });
    sections.at(-1)!.text += ` ${textIn(block)}`;
  }
  return sections.map(({ name, id, text }, index): Entry =>
    index === 0
      ? [name, path, "page", 0, summary, distinctWords(text, summary)]
      : [name, `${path}#${id}`, "section", 0, `of ${title}`, distinctWords(text, name)],
  );
}

/** Returns the prose in a view: all text that is not code. */
function textIn(view: unknown): string {
  if (typeof view !== "object" || view === null) return "";
  if (Array.isArray(view)) return view.map(textIn).join(" ");
  const leaf = view as { readonly markup?: string } & Partial<Inline>;
  if (leaf.markup !== undefined) return leaf.pieces === undefined ? "" : textOf(leaf.pieces);
  return Object.values(view).map(textIn).join(" ");
}

/** Words that are on most pages. */
const COMMON = new Set(
  "the and for that this with are its not has can from when which one all may must each only also then than was does have been into other any there their they what who how but after before while same by own".split(
    " ",
  ),
);

/** Returns the different words of a text that another text does not have. */
function distinctWords(text: string, other: string): string {
  const wordsOf = (given: string): string[] =>
    given.toLowerCase().match(/[\p{L}\p{N}_/$-]+/gu) ?? [];
  const seen = new Set([...COMMON, ...wordsOf(other)]);
  const found = new Set(wordsOf(text).filter((word) => word.length > 2 && !seen.has(word)));
  return [...found].sort().join(" ");
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
