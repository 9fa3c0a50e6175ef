import type { Article, Site } from "../../site-types.js";
import { guideBlocks } from "./guide-blocks.js";
import { readChunks, siteHas, type GuideExample } from "./guide-chunks.js";

/** A guide as read from its file. */
export interface Guide {
  /** Its path among the templates. */
  readonly file: string;
  readonly article: Article;
  /** The protocol versions that it applies to; all when empty. */
  readonly only: readonly string[];
  /** Features, methods and types that it mentions; sites without them omit it. */
  readonly needs: readonly string[];
  readonly examples: readonly GuideExample[];
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
 * @returns by file name, in the order of the `order` lines
 * @throws Error for a guide without a title, a summary or a group that the navigation has
 */
export function readGuides(templates: ReadonlyMap<string, string>): readonly Guide[] {
  const files = [...templates].flatMap(([path, text]) => {
    const name = /^docs\/guides\/(?!tool\/)(?:.*\/)?([^/]+)\.md$/.exec(path)?.[1];
    return name === undefined ? [] : [{ file: path, name, text }];
  });
  return files
    .map(({ file, name, text }) => ({ file, ...readGuide(name, text) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
}

/** Whether a site has everything that a guide mentions. */
export function appliesTo({ only, needs }: Pick<Guide, "only" | "needs">, site: Site): boolean {
  return isForVersion({ only }, site) && needs.every((name) => siteHas(name, site));
}

/** Whether a guide is about the protocol version of a site. */
export function isForVersion({ only }: Pick<Guide, "only">, { protocol }: Site): boolean {
  return only.length === 0 || only.includes(protocol.version);
}

function readGuide(name: string, text: string): Omit<Guide, "file"> & { readonly order: string } {
  const end = text.indexOf("\n\n");
  const head = new Map(
    text
      .slice(0, end)
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const listed = (key: string): readonly string[] =>
    (head.get(key) ?? "").split(",").flatMap((item) => item.trim() || []);
  const [title, summary, group] = [head.get("title"), head.get("summary"), head.get("group")];
  if (title === undefined || summary === undefined || !isGroup(group))
    throw new Error(
      `the guide ${name} needs a title, a summary and a group: ${GROUPS.join(" or ")}`,
    );
  const chunks = readChunks(text.slice(end + 2));
  return {
    article: {
      path: `${name.replace(/\.v\d+$/, "")}.html`,
      title,
      summary,
      group,
      blocks: (scope) => guideBlocks(chunks, scope),
    },
    only: listed("only"),
    needs: listed("needs"),
    examples: chunks.flatMap((chunk) => (chunk.kind === "fence" ? [chunk] : [])),
    order: head.get("order") ?? "z",
  };
}

const GROUPS = ["learn", "concepts", "reference"] as const;

function isGroup(group: string | undefined): group is (typeof GROUPS)[number] {
  return GROUPS.some((item) => item === group);
}
