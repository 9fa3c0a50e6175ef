import Handlebars from "handlebars";
import { tokensOf, type Token } from "./highlight.js";
import { visible } from "./text.js";
import type { Url } from "./url.js";

/**
 * Text with code and links in it, not yet HTML or Markdown. Schema text stays
 * plain text in here; the two printers of this file escape it.
 */
export interface Inline {
  readonly markup: "inline";
  readonly pieces: readonly Piece[];
}

/** Plain text, code, or a link with plain text. */
export type Piece = string | CodeSpan | TextLink;

/** One run of code; parts of it can be links. */
export interface CodeSpan {
  readonly kind: "code";
  readonly parts: readonly CodePart[];
}

export interface CodePart {
  readonly text: string;
  readonly url?: Url | undefined;
}

export interface TextLink {
  readonly kind: "link";
  readonly text: string;
  readonly url: Url;
}

/** A block of source text, line by line. */
export interface CodeBlock {
  readonly markup: "block";
  readonly language: string;
  readonly text: string;
  /** Finds where a name in the text leads to; in Markdown it stays plain. */
  readonly find?: (name: string) => Url | undefined;
  /** Where the names of JSON properties lead to, one after the other. */
  readonly names?: readonly (Url | undefined)[];
  /** Each line is a row of its own; the values in it to mark, by the number of the row from 0. */
  readonly rows?: ReadonlyMap<number, readonly string[]>;
}

/** Puts pieces together; an `Inline` among them is taken apart. */
export function inline(...parts: readonly (Piece | Inline)[]): Inline {
  const pieces = parts.flatMap((part) =>
    typeof part === "object" && "markup" in part ? part.pieces : [part],
  );
  return { markup: "inline", pieces };
}

/** Puts pieces together with a separator between them. */
export function joined(parts: readonly (Piece | Inline)[], separator = ", "): Inline {
  return inline(...parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part])));
}

/** Puts a sentence together, in which texts that follow each other are one: `` phrase`See ${link}.` `` */
export function phrase(texts: TemplateStringsArray, ...parts: readonly (Piece | Inline)[]): Inline {
  const pieces: Piece[] = [];
  for (const piece of inline(...texts.flatMap((text, index) => [text, parts[index] ?? ""]))
    .pieces) {
    const last = pieces.at(-1);
    if (typeof last === "string" && typeof piece === "string") pieces.splice(-1, 1, last + piece);
    else pieces.push(piece);
  }
  return { markup: "inline", pieces };
}

/** Text as code, as a link when there is an address. */
export function codeSpan(text: string, url?: Url): CodeSpan {
  return { kind: "code", parts: [{ text, url }] };
}

export function textLink(text: string, url: Url): TextLink {
  return { kind: "link", text, url };
}

/**
 * A value as pretty-printed JSON.
 *
 * @param names where its property names lead to, in the order of the text
 */
export function jsonBlock(value: unknown, names?: CodeBlock["names"]): CodeBlock {
  const block = {
    markup: "block",
    language: "json",
    text: JSON.stringify(value, null, 2),
  } as const;
  return names === undefined ? block : { ...block, names };
}

/**
 * Reads the prose of a schema: plain text in paragraphs, with code in
 * backticks (`schema/dialect/keywords.schema.json`, `text`). Nothing else in
 * it means anything.
 *
 * @param find where a piece of code leads to, if it is the name of something
 * @returns one item a paragraph
 */
export function prose(text: string, find: (code: string) => Url | undefined): readonly Inline[] {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim());
  return paragraphs
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) =>
      inline(
        ...paragraph
          .split(/`([^`\n]+)`/)
          .map((part, index) => (index % 2 === 0 ? part : codeSpan(part, find(part))))
          .filter((part) => part !== ""),
      ),
    );
}

/**
 * The data of a page as an HTML template gets it: our markup as HTML that is
 * escaped already, everything else as it is, for the template engine to escape.
 */
export function htmlContext(view: unknown): unknown {
  return mapLeaves(view, {
    text: visible,
    url: htmlUrl,
    inline: ({ pieces }) => safe(pieces.map(htmlPiece).join("")),
    block: ({ text, language, find, names, rows }) => {
      let index = 0;
      const link = (token: Token): Url | undefined =>
        token.kind === "name" ? names?.[index++] : undefined;
      const shown = (part: string, marked: readonly string[] = []): string =>
        tokensOf(part, language)
          .map((token) => {
            const html = htmlToken(token, find, link(token));
            return marked.includes(token.text) ? `<mark>${html}</mark>` : html;
          })
          .join("");
      if (rows === undefined) return safe(shown(visible(text)));
      const lines = visible(text).split("\n");
      return safe(
        lines
          .map((line, at) => {
            const tone = rows.has(at) ? "row bad" : "row";
            return `<span class="${tone}">${shown(line, rows.get(at))}\n</span>`;
          })
          .join(""),
      );
    },
  });
}

/**
 * The data of a page as a Markdown template gets it. The engine escapes for HTML
 * only, so every text goes in as finished Markdown.
 */
export function markdownContext(view: unknown): unknown {
  return mapLeaves(view, {
    text: (text) => safe(escapeMarkdown(text)),
    url: ({ url }) => url,
    inline: ({ pieces }) => safe(pieces.map(markdownPiece).join("")),
    block: ({ text, language }) => safe(fence(text, language)),
  });
}

interface Leaves {
  readonly text: (text: string) => unknown;
  readonly url: (value: Url) => string;
  readonly inline: (value: Inline) => unknown;
  readonly block: (value: CodeBlock) => unknown;
}

function mapLeaves(view: unknown, leaves: Leaves): unknown {
  if (typeof view === "string") return view === "" ? "" : leaves.text(view);
  if (Array.isArray(view)) return view.map((item) => mapLeaves(item, leaves));
  if (typeof view !== "object" || view === null) return view;
  const leaf = view as Inline | CodeBlock | Url | { readonly markup?: undefined };
  switch (leaf.markup) {
    case "inline":
      return leaf.pieces.length === 0 ? "" : leaves.inline(leaf);
    case "block":
      return leaves.block(leaf);
    case "url":
      return safe(leaves.url(leaf));
    case undefined: {
      const mapped: { [key: string]: unknown } = {};
      for (const key in view)
        mapped[key] = mapLeaves((view as { readonly [key: string]: unknown })[key], leaves);
      return mapped;
    }
    default:
      return leaf satisfies never;
  }
}

/** Marks text as safe for the template engine; the only function that does. */
function safe(escaped: string): unknown {
  return new Handlebars.SafeString(escaped);
}

/** Text as HTML, for elements and quoted attributes: what the template engine does with plain text. */
function escapeHtml(text: string): string {
  return Handlebars.escapeExpression(visible(text));
}

function htmlToken({ text, kind }: Token, find: CodeBlock["find"], url?: Url): string {
  if (url !== undefined) return `<a class="n" href="${htmlUrl(url)}">${escapeHtml(text)}</a>`;
  if (kind !== undefined) return `<span class="${kind[0]!}">${escapeHtml(text)}</span>`;
  if (find === undefined) return escapeHtml(text);
  const words = text.split(/([A-Za-z_]\w*)/);
  return words
    .map((word, index) => htmlLink({ text: word, url: index % 2 === 1 ? find(word) : undefined }))
    .join("");
}

const LONG_NAME = 16;

function htmlPiece(piece: Piece): string {
  if (typeof piece === "string") return escapeHtml(piece);
  if (piece.kind === "link") return inParts(htmlLink(piece), piece.text.length);
  const text = piece.parts.map(htmlLink).join("");
  const length = piece.parts.reduce((sum, part) => sum + part.text.length, 0);
  return `<code>${inParts(text, length)}</code>`;
}

/** A long name breaks between its parts where there is little room. */
function inParts(html: string, length: number): string {
  return length > LONG_NAME
    ? html.replace(/(?:[/_.](?=\w)|[a-z](?=[A-Z]))(?![^<]*>)/g, "$&<wbr>")
    : html;
}

function htmlLink({ text, url }: CodePart): string {
  return url === undefined ? escapeHtml(text) : `<a href="${htmlUrl(url)}">${escapeHtml(text)}</a>`;
}

/** Only an address outside the site has a character that HTML would read. */
function htmlUrl({ url }: Url): string {
  return url.replaceAll("&", "&amp;");
}

/** Words in which Markdown reads nothing, with single blanks. */
const PLAIN = /^(?!.*(?: {2}|www))[a-z][a-z0-9.,;:?'"() -]*$/i;

/**
 * Text as Markdown (CommonMark and GitHub's tables, strikethrough and bare
 * addresses) that shows exactly this text. Angle brackets and double braces
 * become entities, because tools that read Markdown evaluate them even behind a backslash.
 */
function escapeMarkdown(text: string): string {
  if (PLAIN.test(text)) return text;
  return visible(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_[\]|~]/g, "\\$&")
    .replace(/&(?=[#\w])/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/\{(?=\{)|(?<=\{)\{/g, "&#123;")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/\b(www)\./gi, "$1\\.")
    .replace(/^(\s*)([#+=-])(?=[#+=\s-]|$)/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2");
}

function markdownPiece(piece: Piece): string {
  if (typeof piece === "string") return escapeMarkdown(piece);
  if (piece.kind === "link") return `[${escapeMarkdown(piece.text)}](${piece.url.url})`;
  return mergeCode(piece.parts)
    .map(({ text, url }) =>
      url === undefined ? markdownCode(text) : `[${markdownCode(text)}](${url.url})`,
    )
    .join("");
}

/** Two code spans side by side would read as one with other delimiters. */
function mergeCode(parts: readonly CodePart[]): readonly CodePart[] {
  const merged: CodePart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last !== undefined && last.url === undefined && part.url === undefined) {
      merged[merged.length - 1] = { text: last.text + part.text };
    } else merged.push(part);
  }
  return merged;
}

function markdownCode(text: string): string {
  const line = visible(text).replace(/\s+/g, " ") || " ";
  const delimiter = "`".repeat(longestRun(line) + 1);
  // Markdown strips one blank at both ends, so it protects the characters there.
  const pad = /^`|`$|^ .*[^ ].* $/.test(line) ? " " : "";
  return `${delimiter}${pad}${line}${pad}${delimiter}`;
}

/** Prints a fenced block that the text cannot end. */
function fence(text: string, language: CodeBlock["language"]): string {
  const mark = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${mark}${language}\n${visible(text)}\n${mark}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
