import { languageTitle } from "../../../../output/highlight.js";
import { LANGUAGES } from "../../../../output/languages.js";
import { shapeParts } from "../../model/shape-parts.js";
import type { Site } from "../../model/site.js";

/** A fenced block of a guide. */
export interface GuideExample {
  readonly kind: "fence";
  readonly language: string;
  /** The words after the language: `client session/new`, `type ContentBlock`, `file agent.ts`. */
  readonly use: string;
  readonly text: string;
  /** What a site needs to have it, as `siteHas` takes it; empty for nothing. */
  readonly needs: string;
}

/** One piece of a guide: a fence, a table made by the generator, or the lines of anything else. */
export type Chunk =
  | GuideExample
  | { readonly kind: "table"; readonly name: string; readonly needs: string }
  | { readonly kind: "lines"; readonly lines: readonly string[]; readonly needs: string };

/** A fence of three backticks, or of four when a fence is in it. */
const FENCE = /^((`{3,4})[^\n]*\n[\s\S]*?\n\2)$/m;

/** Paragraph by paragraph; a fence is one, whatever is in it, and each message of an `acp` fence. */
export function readGuideChunks(text: string): readonly Chunk[] {
  let needs = "";
  // The marks of fences are a group of their own.
  const parts = text.split(FENCE).filter((_, index) => index % 3 !== 2);
  return parts.flatMap((part): Chunk[] => {
    const fence = /^`{3,4}([\w-]*) ?([^\n]*)\n([\s\S]*)\n`{3,4}$/.exec(part);
    if (fence !== null) {
      const [, given = "", use = "", inner = ""] = fence;
      const language = given === "" ? "text" : given;
      if (language === "acp") return [...readExchange(inner, needs)];
      return [{ kind: "fence", language, use, text: inner, needs }];
    }
    return part
      .split(/\n\s*\n/)
      .map((lines) => lines.trim())
      .flatMap((lines): Chunk[] => {
        const table = /^::: table (\S+)$/.exec(lines)?.[1];
        if (table !== undefined) return [{ kind: "table", name: table, needs }];
        const mark = /^:::(?: (\S+))?$/.exec(lines);
        if (mark !== null) needs = mark[1] ?? "";
        return mark !== null || lines === ""
          ? []
          : [{ kind: "lines", lines: lines.split("\n"), needs }];
      });
  });
}

/** The messages of an `acp` fence: each begins a line with its words, and JSON that may span lines. */
function readExchange(text: string, needs: string): readonly GuideExample[] {
  return text.split(/\n(?=(?:v\d+ )?(?:client|agent|type) )/).map((message) => {
    const start = message.search(/[{[]/);
    const use = message.slice(0, start).trim();
    return { kind: "fence", language: "json", use, text: message.slice(start), needs };
  });
}

/**
 * Whether a site is of a version, or has a feature, a method, a type or, as `Type.name`, a property,
 * variant or value of a type, or shows a language; all have the empty name. The package of a site is
 * `published`, or readers generate it; `starters` are for packages of acp-codegen.
 */
export function siteHas(name: string, site: Site): boolean {
  const { protocol, features, definitions, methodPaths } = site;
  if (name === "" || name === protocol.version) return true;
  if (name === "published" || name === "generated")
    return (name === "published") === isInRegistry(site);
  if (name === "starters") return !site.isOwn;
  if (name === "manual") return site.manual.some(({ group }) => group === "packages");
  const languages = name.split(",");
  if (CODE_LANGUAGES.includes(languages[0]!))
    return site.code.some(({ language }) => languages.includes(language));
  if (features.has(name) || definitions.has(name) || methodPaths.has(name)) return true;
  const [type, member] = name.split(".") as [string, string?];
  const shape = definitions.get(type)?.shape;
  return shape !== undefined && shapeParts(shape).some((part) => part.name === member);
}

/** The packages of acp-codegen have its named profiles. A user's own package counts as published. */
function isInRegistry(site: Site): boolean {
  return site.isOwn || (site.published && site.protocol.flags.startsWith("--profile "));
}

/** The languages that a site can show. */
const CODE_LANGUAGES = ["TypeScript", ...LANGUAGES.map((language) => languageTitle(language)!)];

/**
 * What stands before the colon of a text in braces: a version, languages, a method, type or `Type.name`, the
 * `manual` or `starters`. In code, another name with a space behind its colon is something else.
 */
const INLINE = new RegExp(
  String.raw`\{(v\d+|manual|starters|(?:(?:${CODE_LANGUAGES.join("|")}),?)+|[a-z_]+\/[a-z_]+|[A-Z]\w*(?:\.\w+)?(?=:\S)):((?:[^{}]|\{[^{}]*\})*)\}`,
  "g",
);

/** The chunks that a site has, with the texts in braces that it has. */
export function chunksOf<C extends Chunk>(chunks: readonly C[], site: Site): readonly C[] {
  const own = (text: string): string =>
    text.replace(INLINE, (_, name: string, words: string) => (siteHas(name, site) ? words : ""));
  return chunks
    .filter(({ needs }) => siteHas(needs, site))
    .map((chunk) => {
      if (chunk.kind === "fence") return { ...chunk, text: own(chunk.text) };
      if (chunk.kind === "table") return chunk;
      return { ...chunk, lines: chunk.lines.map(own).filter(Boolean) };
    })
    .filter((chunk) => chunk.kind !== "lines" || chunk.lines.length > 0);
}
