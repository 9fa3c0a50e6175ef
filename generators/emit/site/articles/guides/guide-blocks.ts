import {
  codeSpan,
  inline,
  jsonBlock,
  prose,
  textLink,
  type Inline,
  type Piece,
} from "../../../../output/markup.js";
import { createUniqueNames, externalUrl, urlToken, type Url } from "../../../../output/url.js";
import { DEFAULT_PACKAGE } from "../../../package-facts.js";
import {
  bullets,
  codeExample,
  heading,
  note,
  paragraph,
  subheading,
  table,
  type Block,
} from "../../blocks/block.js";
import {
  figure,
  sample,
  tabbed,
  tryIt,
  type FigureView,
  type SampleView,
} from "../../blocks/figure.js";
import { isProgramLanguage, languageTitle } from "../../../../output/highlight.js";
import type { PageScope, Site } from "../../model/site.js";
import { messageCode, siteUrl } from "../../components/scope.js";
import { guideMessages, isMessageExample, partOf, type GuideMessage } from "./guide-messages.js";
import { chunksOf, readGuideChunks, type Chunk, type GuideExample } from "./guide-chunks.js";
import { comparisonContext, entryTable } from "../../changes/comparison-context.js";
import { methodEntries } from "../../changes/method-entries.js";
import { comparisonsOf } from "../../changes/profile-comparison.js";
import { typeEntries } from "../../changes/type-entries.js";

/** How the names, links and anchors in a text become those of its page. */
export interface GuideContext {
  readonly named: (text: string) => string;
  readonly prose: (text: string) => readonly Inline[];
  readonly toPage: PageScope["toPage"];
  readonly id: PageScope["id"];
  readonly fence: (example: GuideExample) => readonly Block[];
}

/** The context of Markdown on a page above the profiles, whose names are no links. */
export function rootContext(toPage: GuideContext["toPage"]): GuideContext {
  return {
    named: (line) => line,
    prose: (line) => prose(line, () => undefined),
    toPage,
    id: createUniqueNames(".", "exact"),
    fence: ({ language, text }) => [codeExample({ markup: "block", language, text })],
  };
}

/** The blocks of Markdown in the subset that guides are written in. */
export function markdownBlocks(text: string, context: GuideContext): readonly Block[] {
  return chunkBlocks(readGuideChunks(text), context);
}

/** The blocks of Markdown that was read. */
export function chunkBlocks(chunks: readonly Chunk[], context: GuideContext): readonly Block[] {
  return chunks.flatMap((chunk) => toBlocks(chunk, context));
}

/** The blocks of the parts of a guide that a site has. */
export function guideBlocks(chunks: readonly Chunk[], scope: PageScope): readonly Block[] {
  const own = chunksOf(chunks, scope.site);
  const fences = own.filter((chunk) => chunk.kind === "fence");
  const messages = guideMessages(fences, scope.site);
  const context: GuideContext = {
    named: (text) => named(text, scope.site),
    prose: scope.prose,
    toPage: (page, id) => {
      const target = page === "" ? scope.path : page.replace(/\.md$/, ".html");
      if (!target.startsWith("../")) return scope.toPage(target, id);
      const path = target.slice("../".length);
      return isAbove(path, scope.site) ? siteUrl(scope.site, scope.path, path, id) : undefined;
    },
    id: scope.id,
    fence: (example) => fenceBlocks(example, messages.get(example), scope),
  };
  return joinFences(own, messages, scope).flatMap((item): readonly Block[] => {
    if (!("kind" in item)) return [item];
    return item.kind === "table" ? guideTables[item.name]!(scope) : toBlocks(item, context);
  });
}

/**
 * Makes tabs of fences that follow each other: of a program in several languages, and of a message
 * of another version and the one in its place.
 */
function joinFences(
  chunks: readonly Chunk[],
  messages: ReadonlyMap<GuideExample, GuideMessage>,
  scope: PageScope,
): readonly (Chunk | Block)[] {
  const joined: (Chunk | Block)[] = [];
  for (let index = 0; index < chunks.length; index++) {
    const chunk = chunks[index]!;
    const programs = programsFrom(chunks, index);
    const [before, after] = [chunk, chunks[index + 1]].map((one) =>
      one?.kind === "fence" ? messages.get(one) : undefined,
    );
    if (programs.length > 0) {
      const view = programTabs(programs, scope.site, scope.id("code"));
      if (view !== undefined) joined.push({ figure: view });
      index += programs.length - 1;
    } else if (before && after && before.site !== scope.site && after.site === scope.site) {
      const tabs = [before, after].map((one) => ({
        name: one.site.protocol.title,
        samples: [messageSample(one, scope, "")],
      }));
      joined.push({ figure: tabbed(scope.id("versions"), tabs, false) });
      index++;
    } else joined.push(chunk);
  }
  return joined;
}

/** The fences from a place on that are programs in different languages. */
function programsFrom(chunks: readonly Chunk[], start: number): readonly GuideExample[] {
  const names = new Set<string>();
  const programs: GuideExample[] = [];
  for (const chunk of chunks.slice(start)) {
    const name = chunk.kind === "fence" ? programName(chunk) : undefined;
    if (chunk.kind !== "fence" || name === undefined || names.has(name)) break;
    names.add(name);
    programs.push(chunk);
  }
  return programs;
}

/**
 * Returns the same program in several languages as tabs.
 *
 * @param fences at most one for each language
 * @returns undefined for none
 */
export function programTabs(
  fences: readonly GuideExample[],
  site: Site,
  choice: string,
): FigureView | undefined {
  const tabs = fences.flatMap((fence) => {
    const { language, text, use } = fence;
    const own = site.code.find((one) => one.language === programName(fence));
    if (own === undefined) return [];
    const code = { markup: "block", language, text: named(own.named(text), site) } as const;
    return [{ name: own.language, samples: [sample(code, fileName(use))] }];
  });
  return tabs.length === 0 ? undefined : tabbed(choice, tabs, true);
}

/** The language of a program, or the one that a fence is for: `sh in TypeScript`. */
function programName({ language, use }: GuideExample): string | undefined {
  const [, meant] = /^in (\w+)/.exec(use) ?? [];
  return meant ?? (isProgramLanguage(language) ? languageTitle(language) : undefined);
}

/** The title of a fence `file agent.ts`, or of a file for a language: `in TypeScript settings.json`. */
function fileName(use: string): Inline | undefined {
  const [, file] = /^(?:file|in \w+) (\S+)$/.exec(use) ?? [];
  return file === undefined ? undefined : inline(codeSpan(file));
}

/** Whether a site has a page above its profiles. */
function isAbove(path: string, { manual }: Site): boolean {
  return !path.startsWith("tool/") || manual.some((page) => page.path === path);
}

function toBlocks(chunk: Chunk, context: GuideContext): readonly Block[] {
  if (chunk.kind === "table") return [];
  if (chunk.kind === "fence") return context.fence(chunk);
  const { lines } = chunk;
  const [first] = lines as readonly [string];
  const text = (line: string): Inline => guideText(context.named(line), context);
  const id = (title: string): string => {
    const words = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    return context.id(urlToken(words.replace(/^-|-$/g, "")));
  };
  if (first.startsWith("### ")) return [subheading(id(first.slice(4)), text(first.slice(4)))];
  if (first.startsWith("## ")) return [heading(id(first.slice(3)), text(first.slice(3)))];
  if (first.startsWith("> ")) {
    const whole = lines.map((line) => line.replace(/^> ?/, "")).join(" ");
    const [label = "", ...rest] = whole.split(": ");
    return [note(`${label}:`, text(rest.join(": ")))];
  }
  if (first.startsWith("- ")) return bullets(itemsOf(lines, /^- /).map(text));
  if (first.startsWith("1. ")) return [{ steps: itemsOf(lines, /^\d+\. /).map(text) }];
  if (first.startsWith("|")) return guideTable(lines, text);
  return [paragraph(text(lines.join(" ")))];
}

function fenceBlocks(
  example: GuideExample,
  message: GuideMessage | undefined,
  scope: PageScope,
): readonly Block[] {
  if (message !== undefined) return [messageBlock(message, scope)];
  // A message of a profile that is not built.
  if (isMessageExample(example)) return [];
  const text = named(example.text, scope.site);
  const code = { markup: "block", language: example.language as "ts", text } as const;
  const part = partOf(example);
  if (part === undefined) return [codeExample(code, fileName(example.use))];
  const site = part.version === undefined ? scope.site : scope.site.siblings.get(part.version);
  if (site === undefined) return [];
  const isOwn = site === scope.site;
  const path = `${site.protocol.profile}/${site.typePaths.get(part.type)!}`;
  const link = siteUrl(scope.site, scope.path, path);
  const other = isOwn ? "" : `${site.protocol.title}: `;
  return [
    codeExample(
      jsonBlock(JSON.parse(text)),
      inline(`${other}${isOwn ? "P" : "p"}art of a message: `, codeSpan(part.type, link)),
      isOwn ? tryIt("value", { type: part.type }) : undefined,
    ),
  ];
}

const LABELS = {
  request: "request from the",
  notification: "notification from the",
  result: "response from the",
  error: "error response from the",
} as const;

function messageBlock(message: GuideMessage, scope: PageScope): Block {
  const version = message.site === scope.site ? "" : `${message.site.protocol.title}: `;
  const code = messageSample(message, scope, version);
  return { figure: figure([code], message.isInvalid ? "bad" : "") };
}

/** @param version the version of the message, where nothing else says it */
function messageSample(guideMessage: GuideMessage, scope: PageScope, version: string): SampleView {
  const { from, kind, message, method, isInvalid } = guideMessage;
  const isOwn = guideMessage.site === scope.site;
  const label = `${version}${isInvalid ? "invalid: " : ""}${LABELS[kind]} ${from}`;
  const isCall = kind === "request" || kind === "notification";
  const trial = isOwn && isCall && !isInvalid ? tryIt("message", { from }) : undefined;
  return sample(
    isOwn ? messageCode(message, method, scope) : jsonBlock(message),
    inline(label[0]!.toUpperCase() + label.slice(1)),
    trial,
  );
}

/** Text with the names that the reader's own code has: of the profile, and of the package. */
function named(text: string, { packageName, protocol }: Site): string {
  return text
    .replaceAll("%profile%", protocol.profile)
    .replaceAll("%flags%", protocol.flags)
    .replaceAll("%version%", protocol.version)
    .replaceAll(DEFAULT_PACKAGE, () => packageName);
}

function itemsOf(lines: readonly string[], mark: RegExp): readonly string[] {
  const items: string[] = [];
  for (const line of lines)
    if (mark.test(line)) items.push(line.replace(mark, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  return items;
}

function guideTable(lines: readonly string[], text: (line: string) => Inline): readonly Block[] {
  const cells = lines.map((line) => line.split("|").slice(1, -1));
  const [head = [], , ...rows] = cells.map((row) => row.map((cell) => cell.trim()));
  // The heads of columns are plain text.
  const columns = head.map((cell) => cell.replaceAll("`", ""));
  const views = rows.map((row) => ({ cells: row.map(text) }));
  return table(columns.join(", "), columns, views);
}

/** Text with code and links; a link to a page that the profile does not have is plain text. */
function guideText(text: string, context: GuideContext): Inline {
  const parts = text.split(LINK);
  return inline(
    ...parts.flatMap((part, index): (Piece | Inline)[] => {
      if (index % 3 === 2) return [];
      if (index % 3 === 0) return part === "" ? [] : withCode(part, context);
      const url = linkUrl(parts[index + 1]!, context);
      return [url === undefined ? part : textLink(part, url)];
    }),
  );
}

/** The address of a link; undefined for a page that the profile does not have. */
function linkUrl(target: string, { toPage }: Pick<GuideContext, "toPage">): Url | undefined {
  if (/^[a-z]+:/.test(target)) return externalUrl(target);
  const [page, id] = linkTarget(target);
  return toPage(page, id);
}

/** The page and the part of it that a link names. */
export function linkTarget(target: string): readonly [page: string, id: string | undefined] {
  const [page = "", id] = target.split("#");
  return [page.replace(/^\.\//, ""), id];
}

/** A link in the text of a guide: its label, and its target. */
export const LINK = /\[([^\]]+)\]\(([^)]+)\)/;

function withCode(text: string, { prose }: GuideContext): (Piece | Inline)[] {
  const [line] = prose(text);
  if (line === undefined) return [text];
  // Prose trims the blanks at its ends, which matter next to a link.
  const [start, end] = [/^\s/, /\s$/].map((blank) => (blank.test(text) ? [" "] : []));
  return [...start!, line, ...end!];
}

/** The tables of guides that the generator makes, by the name that `::: table` gives. */
const guideTables: { readonly [name: string]: (scope: PageScope) => readonly Block[] } = {
  "from-version-before": fromVersionBefore,
};

/** The methods that the version before has not or has otherwise, and the types that only have another name. */
function fromVersionBefore(scope: PageScope): readonly Block[] {
  const { siblings, protocol } = scope.site;
  const changes = comparisonsOf(scope.site).find(
    ({ from }) => siblings.get(from)!.protocol.version !== protocol.version,
  );
  if (changes === undefined) return [];
  const context = comparisonContext(changes, scope);
  const renamed = typeEntries(changes, context).filter(({ word }) => word === "renamed");
  return [
    ...entryTable("Methods", methodEntries(changes.methods, context)),
    ...entryTable("Types renamed", renamed),
  ];
}
