import type { ParserOptions } from "prettier";
import { parsers as htmlParsers } from "prettier/plugins/html";
import { parsers as markdownParsers } from "prettier/plugins/markdown";

/** The contents of a page, as a parser that knows nothing of our templates sees them. */
export interface HtmlNodes {
  readonly elements: readonly {
    readonly name: string;
    readonly attributes: readonly (readonly [name: string, value: string])[];
  }[];
  /** All text, character references resolved. */
  readonly words: string;
}

interface HtmlNode {
  readonly kind: string;
  readonly name?: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string | null }[];
  readonly children?: readonly HtmlNode[];
}

/** Reads HTML with prettier's parser; malformed markup is an error. */
export async function htmlNodes(text: string): Promise<HtmlNodes> {
  return remembered(html, text, readHtml);
}

async function readHtml(text: string): Promise<HtmlNodes> {
  const root = (await htmlParsers.html.parse(text, options("html", text))) as HtmlNode;
  const nodes = flat<HtmlNode>(root);
  return {
    elements: nodes
      .filter(({ kind }) => kind === "element")
      .map(({ name, attrs }) => ({
        name: name!,
        attributes: attrs!.map((item) => [item.name, decodeHtml(item.value ?? "")] as const),
      })),
    words: nodes.map(({ kind, value }) => (kind === "text" ? decodeHtml(value!) : "")).join(""),
  };
}

export interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  /** Whether a list is numbered. */
  readonly ordered?: boolean;
  readonly children?: readonly MarkdownNode[];
}

/** Reads Markdown with prettier's parser: every node, outermost first. */
export async function markdownNodes(text: string): Promise<readonly MarkdownNode[]> {
  return remembered(markdown, text, readMarkdown);
}

async function readMarkdown(text: string): Promise<readonly MarkdownNode[]> {
  const root = (await markdownParsers.markdown.parse(
    text,
    options("markdown", text),
  )) as MarkdownNode;
  return flat<MarkdownNode>(root);
}

const html = new Map<string, Promise<HtmlNodes>>();
const markdown = new Map<string, Promise<readonly MarkdownNode[]>>();

/** Parsing takes long, and several tests read the same page. */
function remembered<Nodes>(
  known: Map<string, Promise<Nodes>>,
  text: string,
  read: (text: string) => Promise<Nodes>,
): Promise<Nodes> {
  const nodes = known.get(text) ?? read(text);
  known.set(text, nodes);
  return nodes;
}

/** The marks of colored source text. */
const TOKEN = /<(?:span|a) class="(?:[nslkc])"(?: href="[^"]*")?>([^<]*)<\/(?:span|a)>/g;

/** Character references of HTML as the characters they stand for; source text without its colors. */
export function decodeHtml(text: string): string {
  const named: { readonly [name: string]: string } = { lt: "<", gt: ">", quot: '"', amp: "&" };
  return text
    .replace(TOKEN, "$1")
    .replace(/&(?:#x([0-9A-F]+)|(\w+));/gi, (reference, code: string, name: string) =>
      code === undefined ? (named[name] ?? reference) : String.fromCodePoint(parseInt(code, 16)),
    );
}

function options(parser: string, text: string): ParserOptions {
  return { parser, originalText: text, filepath: `page.${parser}` } as ParserOptions;
}

function flat<T extends { readonly children?: readonly T[] }>(node: T): readonly T[] {
  return [node, ...(node.children ?? []).flatMap((child) => flat<T>(child))];
}
