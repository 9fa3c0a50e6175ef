import {
  codeSpan,
  inline,
  textLink,
  type CodeBlock,
  type Inline,
  type Piece,
} from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import { DEFAULT_PACKAGE } from "../../emitter.js";
import {
  bullets,
  codeExample,
  heading,
  note,
  numbered,
  paragraph,
  subheading,
  table,
  tryIt,
  type Block,
  type TryIt,
} from "../parts/block.js";
import type { Article, PageScope, Site } from "../site-types.js";

/** A guide as read from its file. */
export interface Guide {
  readonly article: Article;
  /** The protocol versions that it applies to; all when empty. */
  readonly only: readonly string[];
  /** Features, methods and types that it mentions; sites without them omit it. */
  readonly needs: readonly string[];
  readonly examples: readonly GuideExample[];
}

/** How the names, links and anchors in a text become those of its page. */
export interface GuideContext {
  readonly named: (text: string) => string;
  readonly prose: (text: string) => readonly Inline[];
  readonly toPage: PageScope["toPage"];
  readonly id: PageScope["id"];
  readonly caption: (use: string) => Inline | undefined;
}

/** A fenced block of a guide. */
export interface GuideExample {
  readonly language: string;
  /** The words after the language: `message client`, `type ContentBlock`, `file agent.ts`. */
  readonly use: string;
  readonly text: string;
}

const FOLDER = "docs/guides/";

/**
 * Reads the guides: Markdown in a subset of its own, written by hand, so that
 * they come out as pages and as twins like everything else. A head of
 * `key: value` lines, `##` and `###` headings, paragraphs, `-` and `1.` lists,
 * tables, fences, and in text `code` and [links](page.html).
 *
 * A file `name.v2.md` is the page `name.html` of that version.
 *
 * @param templates the text of the templates by path
 * @returns by file name, in the order of the `order` lines
 * @throws Error for a guide without a title, a summary or a group that the navigation has
 */
export function readGuides(templates: ReadonlyMap<string, string>): readonly Guide[] {
  // Those in a folder below are the manual of the tool.
  const files = [...templates].filter(([path]) => /^docs\/guides\/[^/]+\.md$/.test(path));
  return files
    .map(([path, text]) => readGuide(path.slice(FOLDER.length, -".md".length), text))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
}

/** Whether a site has everything that a guide mentions. */
export function appliesTo({ only, needs }: Guide, site: Site): boolean {
  const { protocol, features, definitions, methodPaths } = site;
  return (
    (only.length === 0 || only.includes(protocol.version)) &&
    needs.every((name) => features.has(name) || definitions.has(name) || methodPaths.has(name))
  );
}

function readGuide(name: string, text: string): Guide & { readonly order: string } {
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
  if (title === undefined || summary === undefined || (group !== "learn" && group !== "reference"))
    throw new Error(`the guide ${name} needs a title, a summary and a group: learn or reference`);
  const chunks = readChunks(text.slice(end + 2));
  return {
    article: {
      path: `${name.replace(/\.v\d+$/, "")}.html`,
      title,
      summary,
      group,
      blocks: (scope) => chunks.flatMap((chunk) => toBlocks(chunk, contextOf(scope))),
    },
    only: listed("only"),
    needs: listed("needs"),
    examples: chunks.flatMap((chunk) => (chunk.kind === "fence" ? [chunk] : [])),
    order: head.get("order") ?? "z",
  };
}

type Chunk =
  | ({ readonly kind: "fence" } & GuideExample)
  | { readonly kind: "lines"; readonly lines: readonly string[] };

/** Paragraph by paragraph; a fence is one, whatever is in it. */
function readChunks(text: string): readonly Chunk[] {
  return text.split(/^(```[^\n]*\n[\s\S]*?\n```)$/m).flatMap((part): Chunk[] => {
    const fence = /^```(\w+) ?([^\n]*)\n([\s\S]*)\n```$/.exec(part);
    if (fence !== null)
      return [{ kind: "fence", language: fence[1]!, use: fence[2]!, text: fence[3]! }];
    return part
      .split(/\n\s*\n/)
      .map((lines) => lines.trim())
      .filter((lines) => lines !== "")
      .map((lines) => ({ kind: "lines", lines: lines.split("\n") }));
  });
}

/** The blocks of Markdown in the subset that guides are written in. */
export function markdownBlocks(text: string, context: GuideContext): readonly Block[] {
  return readChunks(text).flatMap((chunk) => toBlocks(chunk, context));
}

function contextOf(scope: PageScope): GuideContext {
  return {
    named: (text) => named(text, scope.site),
    prose: scope.prose,
    toPage: scope.toPage,
    id: scope.id,
    caption: (use) => captionOf(use, scope),
  };
}

function toBlocks(chunk: Chunk, context: GuideContext): readonly Block[] {
  if (chunk.kind === "fence") {
    const language = chunk.language as CodeBlock["language"];
    const text = context.named(chunk.text);
    const code = { markup: "block", language, text } as const;
    return [codeExample(code, context.caption(chunk.use), tryItOfFence(chunk))];
  }
  const { lines } = chunk;
  const [first] = lines as readonly [string];
  const text = (line: string): Inline => guideText(context.named(line), context);
  const id = (title: string): string =>
    context.id(
      urlToken(
        title
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, "-")
          .replace(/^-|-$/g, ""),
      ),
    );
  if (first.startsWith("### ")) return [subheading(id(first.slice(4)), text(first.slice(4)))];
  if (first.startsWith("## ")) return [heading(id(first.slice(3)), text(first.slice(3)))];
  if (first.startsWith("> ")) {
    const whole = lines.map((line) => line.replace(/^> ?/, "")).join(" ");
    const [label = "", ...rest] = whole.split(": ");
    return [note(`${label}:`, text(rest.join(": ")))];
  }
  if (first.startsWith("- ")) return bullets(itemsOf(lines, /^- /).map(text));
  if (first.startsWith("1. ")) return [numbered(itemsOf(lines, /^\d+\. /).map(text))];
  if (first.startsWith("|")) return guideTable(lines, text);
  return [paragraph(text(lines.join(" ")))];
}

/** The caption of a fence: the name of a file, or the type of a part of a message. */
function captionOf(use: string, scope: PageScope): Inline | undefined {
  const [what, name = ""] = use.split(" ");
  if (what === "file") return inline(codeSpan(name));
  if (what === "type") return inline("Part of a message: ", codeSpan(name, scope.toType(name)));
  return undefined;
}

/** Text with the names that the reader's own code has: of the profile, and of the package. */
function named(text: string, { packageName, protocol }: Site): string {
  return text
    .replaceAll("%profile%", protocol.profile)
    .replaceAll(DEFAULT_PACKAGE, () => packageName);
}

/** How the validator reads a fence, from the words after its language. */
function tryItOfFence({ language, use }: GuideExample): TryIt | undefined {
  const [what = "", name = ""] = use.split(" ");
  if (language !== "json") return undefined;
  if (what === "message") return tryIt("message", { from: name });
  return what === "type" ? tryIt("value", { type: name }) : undefined;
}

function itemsOf(lines: readonly string[], mark: RegExp): readonly string[] {
  const items: string[] = [];
  for (const line of lines)
    if (mark.test(line)) items.push(line.replace(mark, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  return items;
}

function guideTable(lines: readonly string[], text: (line: string) => Inline): readonly Block[] {
  const cells = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [head = [], , ...rows] = cells;
  // The heads of columns are plain text.
  const columns = head.map((cell) => cell.replaceAll("`", ""));
  return table(
    columns.join(", "),
    columns,
    rows.map((row) => ({ cells: row.map(text) })),
  );
}

/** Text with code and links; a link to a page that the profile does not have is plain text. */
function guideText(text: string, context: GuideContext): Inline {
  const parts = text.split(/\[([^\]]+)\]\(([^)]+)\)/);
  return inline(
    ...parts.flatMap((part, index): (Piece | Inline)[] => {
      if (index % 3 === 2) return [];
      if (index % 3 === 0) return part === "" ? [] : withCode(part, context);
      const [page = "", id] = parts[index + 1]!.split("#");
      const url = context.toPage(page, id);
      return [url === undefined ? part : textLink(part, url)];
    }),
  );
}

function withCode(text: string, { prose }: GuideContext): (Piece | Inline)[] {
  const [line] = prose(text);
  if (line === undefined) return [text];
  // Prose trims the blanks at its ends, which matter next to a link.
  return [/^\s/.test(text) ? " " : "", line, /\s$/.test(text) ? " " : ""].filter(
    (part) => part !== "",
  );
}
