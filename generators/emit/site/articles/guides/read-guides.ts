import type { Article, Site } from "../../model/site.js";
import { guideBlocks } from "./guide-blocks.js";
import { didYouMean, InputError } from "../../../../schema/problem.js";
import { readGuideChunks, siteHas, type Chunk, type GuideExample } from "./guide-chunks.js";

/** A guide as read from its file. */
export interface Guide {
  /** Its path among the templates, or that of a page of the user. */
  readonly file: string;
  /** Whether it is a page of the user. */
  readonly isOwn: boolean;
  readonly article: Article;
  /** The protocol versions that it applies to; all when empty. */
  readonly only: readonly string[];
  /** Features, methods and types that it mentions; sites without them omit it. */
  readonly needs: readonly string[];
  readonly chunks: readonly Chunk[];
  readonly examples: readonly GuideExample[];
  /** Its place among the guides of its group. */
  readonly order: string;
}

/**
 * Reads the guides: Markdown in a subset of its own, written by hand, so that
 * they come out as pages and as twins like everything else. A head of
 * `key: value` lines, `##` and `###` headings, paragraphs, `-` and `1.` lists,
 * tables, fences, and in text `code` and [links](page.html).
 *
 * The folders of guides do not matter, except that `tool` holds the manual of the command.
 * A file `name.v2.md` is the page `name.html` of that version. In other files the
 * chunks between `::: v2` and `:::` are for that version only (or for sites with that
 * feature, method, type or, as `Type.name`, property, variant or value), as is the text in
 * `{v2:text}`. `::: table name` is a table that the generator makes. An `acp` fence holds messages (see `guide-messages.ts`).
 * A guide at the address of a generated page is the beginning of that page.
 *
 * @param templates the text of the templates by path
 * @returns in the order of the `order` lines
 * @throws InputError for a guide without a title, a summary or a group that the navigation has
 */
export function readGuides(templates: ReadonlyMap<string, string>): readonly Guide[] {
  const files = [...templates].filter(([path]) => /^site\/guides\/(?!tool\/).*\.md$/.test(path));
  return sortGuides(files.map(([path, text]) => readGuide(path, text, false)));
}

/** Sorts guides by their `order` lines. */
export function sortGuides(guides: readonly Guide[]): readonly Guide[] {
  return [...guides].sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
}

/** The guides of a site; a page of the user takes the place of a guide at the same address. */
export function guidesOf(guides: readonly Guide[], site: Site): readonly Guide[] {
  const all = guides.filter((guide) => appliesTo(guide, site));
  const taken = new Set(all.filter(({ isOwn }) => isOwn).map(({ article }) => article.path));
  return all.filter(({ isOwn, article }) => isOwn || !taken.has(article.path));
}

/** Whether a site has everything that a guide mentions. */
export function appliesTo({ only, needs }: Pick<Guide, "only" | "needs">, site: Site): boolean {
  return isForVersion({ only }, site) && needs.every((name) => siteHas(name, site));
}

/** Whether a guide is about the protocol version of a site. */
export function isForVersion({ only }: Pick<Guide, "only">, { protocol }: Site): boolean {
  return only.length === 0 || only.includes(protocol.version);
}

/**
 * Reads one guide.
 *
 * @throws InputError for one without a title, a summary or a group that the navigation has
 */
export function readGuide(file: string, text: string, isOwn: boolean): Guide {
  const { head, body } = readHead(text);
  const listed = (key: string): readonly string[] =>
    (head.get(key) ?? "").split(",").flatMap((item) => item.trim() || []);
  const [title, summary, about] = ["title", "summary", "about"].map((key) => head.get(key));
  const group = head.get("group") ?? "concepts";
  const refuse = (message: string, hint: string): InputError =>
    new InputError([{ file, message, hint }]);
  const unknown = [...head.keys()].find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw refuse(
      `begins with the unknown line "${unknown}:"`,
      didYouMean(unknown, KEYS, `Lines at the beginning are ${KEYS.join(", ")}.`),
    );
  if (!title || !summary)
    throw refuse(`has no ${title ? "summary" : "title"}`, 'Begin with "title:" and "summary:".');
  if (!isGroup(group))
    throw refuse(`has the unknown group "${group}"`, `Groups are ${GROUPS.join(", ")}.`);
  const chunks = readGuideChunks(body);
  return {
    file,
    isOwn,
    article: {
      path: pagePath(file),
      title,
      summary: summary.replaceAll("`", ""),
      group,
      ...(isOwn && { isOwn }),
      ...(about !== undefined && { about }),
      blocks: (scope) => guideBlocks(chunks, scope),
    },
    only: listed("only"),
    needs: [...listed("needs"), ...(about === undefined ? [] : [about])],
    chunks,
    examples: chunks.flatMap((chunk) => (chunk.kind === "fence" ? [chunk] : [])),
    order: head.get("order") ?? "z",
  };
}

/** The lines `key: value` at the beginning of a guide, which may stand between lines of dashes. */
export function readHead(text: string): {
  readonly head: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const fenced = /^---\n([^]*?)\n---\n+([^]*)$/.exec(text);
  const end = text.indexOf("\n\n");
  const [lines, body] =
    fenced === null ? [text.slice(0, end), text.slice(end + 2)] : [fenced[1]!, fenced[2]!];
  const pairs = lines.split("\n").map((line): [string, string] => {
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).trim();
    return [line.slice(0, colon).trim(), value.replace(/^(["'])(.*)\1$/, "$2")];
  });
  return { head: new Map(pairs), body };
}

function pagePath(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/(\.v\d+)?\.md$/, ".html");
}

const KEYS = ["title", "summary", "group", "order", "only", "needs", "about"];

const GROUPS = ["learn", "concepts", "reference"] as const;

function isGroup(group: string | undefined): group is (typeof GROUPS)[number] {
  return GROUPS.some((item) => item === group);
}
