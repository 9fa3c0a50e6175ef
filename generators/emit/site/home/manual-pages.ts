import type { Protocol } from "../../../model/protocol.js";
import { languageTitle } from "../../../output/highlight.js";
import { LANGUAGES } from "../../../output/languages.js";
import { inline } from "../../../output/markup.js";
import { selectParts } from "../../../output/sections.js";
import { relativeUrl } from "../../../output/url.js";
import { markdownBlocks, rootContext } from "../articles/guides/guide-blocks.js";
import { paragraph, type Block } from "../blocks/block.js";
import { sample, tabbed } from "../blocks/figure.js";
import type { PageLink, Site } from "../model/site.js";
import type { RootPage } from "../root-page.js";

type Templates = ReadonlyMap<string, string>;

const FOLDER = "site/guides/tool/";
const INDEX = "README.md";

/** Pages of the manual for those who use the packages of acp-codegen. */
const ABOUT_PACKAGES = /-sdk\.md$|^ship\.md$/;

/** The READMEs of the generated packages, by language, and the pages that they become. */
const READMES = [
  { language: "ts", file: "typescript/package/README.md", page: "typescript-package" },
  ...LANGUAGES.map((language) => ({
    language,
    file: `${language}/README.md`,
    page: `${language}-package`,
  })),
];

/** The programs that every README has, and their pages. */
const PROGRAMS = [
  { page: "agent", title: "An agent with everything" },
  { page: "editor", title: "An editor with everything" },
];

/**
 * Returns the addresses and titles of the manual: its index first, and the pages in the order in
 * which that links to them.
 */
export function manualLinks(
  templates: Templates,
  protocols: readonly Protocol[],
  isOwn: boolean,
): readonly PageLink[] {
  const files = manualFiles(templates, isOwn);
  if (files.length === 0) return [];
  const link = (name: string): PageLink => ({
    path: pathOf(name),
    title: /^# ([^\n]+)/.exec(templates.get(FOLDER + name) ?? "")?.[1] ?? name,
    group: ABOUT_PACKAGES.test(name) ? "packages" : "manual",
  });
  const packages = (isOwn ? [] : readmePages(templates, protocols, false)).map(
    ({ path, title }): PageLink => {
      return { path, title, group: "packages" };
    },
  );
  return [...packages, ...files.map(link)];
}

/**
 * The manual of the tool: the Markdown files that a code host shows as they
 * are, a title, a summary and text each, as pages above the profiles.
 *
 * @param site one of the profiles, which knows the addresses of all pages
 */
export function manualPages(templates: Templates, site: Site): readonly RootPage[] {
  const protocols = [...site.siblings.values()].map(({ protocol }) => protocol);
  const pages = manualFiles(templates, site.isOwn).map((name): RootPage => {
    const parts = /^# ([^\n]+)\n\n([^\n]+)\n\n([^]*)$/.exec(templates.get(FOLDER + name) ?? "");
    if (parts === null)
      throw new Error(`templates/${FOLDER}${name} needs a title, a summary and text`);
    const [, title, summary, rest] = parts as unknown as [string, string, string, string];
    const path = pathOf(name);
    const linked = [...site.manual.map((page) => page.path), ...profilePages(site)];
    return { path, title, lead: plain(summary), blocks: blocksOf(rest, path, linked) };
  });
  return pages.length === 0 || site.isOwn
    ? pages
    : [...readmePages(templates, protocols, site.published), ...pages];
}

/**
 * Returns the files of the manual: the index, and the others in the order in which it links to them.
 *
 * @param isOwn whether the site is about packages of the user's own
 */
function manualFiles(templates: Templates, isOwn: boolean): readonly string[] {
  const index = templates.get(FOLDER + INDEX);
  if (index === undefined) return [];
  const names = [...index.matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, name]) => name!);
  return [INDEX, ...names.filter((name) => !isOwn || !ABOUT_PACKAGES.test(name))];
}

/** The READMEs of the packages as pages: each as a whole, and the programs that all of them have. */
function readmePages(
  templates: Templates,
  protocols: readonly Protocol[],
  published: boolean,
): readonly RootPage[] {
  const versions = new Set(protocols.map(({ version }) => version));
  const facts = new Set([
    ...["complete", "bridge", ...versions],
    ...(versions.size > 1 ? ["versions"] : []),
    ...(protocols.length > 1 ? ["profiles"] : []),
    ...(published ? ["published"] : []),
  ]);
  const readmes = READMES.flatMap(({ language, file, page }) => {
    const text = templates.get(file);
    if (text === undefined) return [];
    const title = languageTitle(language)!;
    return [{ title, path: `tool/${page}.html`, text: selectParts(text, facts) }];
  });
  const programs = PROGRAMS.map(({ page, title }): RootPage => {
    const sections = readmes.flatMap((readme) => {
      const text = sectionOf(readme.text, title);
      return text === undefined ? [] : [{ ...readme, text }];
    });
    return { path: `tool/${page}.html`, title, ...programContents(sections) };
  });
  const wholes = readmes.map(({ title, path, text }): RootPage => {
    const [, lead = "", rest = ""] = /^# [^\n]+\n\n([^]*?)\n\n([^]*)$/.exec(text) ?? [];
    const name = `The ${title} package`;
    return { path, title: name, lead: plain(lead), blocks: blocksOf(rest, path, []) };
  });
  return [...programs.filter(({ blocks }) => blocks.length > 0), ...wholes];
}

/** The sentence before the programs, which is the same for all languages, and the programs in tabs. */
function programContents(
  sections: readonly { readonly title: string; readonly text: string }[],
): Pick<RootPage, "lead" | "blocks"> {
  if (sections.length === 0) return { lead: "", blocks: [] };
  const tabs = sections.map(({ title: name, text }) => {
    const [, language = "", program = ""] = /^```(\w+)\n([^]*?)\n```$/m.exec(text) ?? [];
    const code = { markup: "block", language, text: program } as const;
    return { name, samples: [sample(code)] };
  });
  const [before = ""] = sections[0]!.text.split("```");
  const [lead = "", ...rest] = plain(before.trim()).split(/(?<=\.) /);
  return {
    lead,
    blocks: [
      ...rest.map((sentence) => paragraph(inline(sentence))),
      { figure: tabbed("program", tabs, true) },
    ],
  };
}

/** The text of a section of the second level; undefined without one. */
function sectionOf(text: string, title: string): string | undefined {
  const [, rest] = text.split(`\n## ${title}\n`);
  return rest?.split(/^## /m)[0];
}

/** The articles of a profile, by their paths below the folder of the site. */
function profilePages({ protocol, articles }: Site): readonly string[] {
  return articles.map(({ path }) => `${protocol.profile}/${path}`);
}

/** @param pages those to which the text may lead */
function blocksOf(text: string, path: string, pages: readonly string[]): readonly Block[] {
  const context = rootContext((page, id) => {
    const target = page === "" ? path : pathOf(page);
    const isThere = target === path || pages.includes(target);
    return isThere ? relativeUrl(path, target, id) : undefined;
  });
  return markdownBlocks(text.replace(/\*\*([^*`]+)\*\*/g, "$1"), context);
}

function pathOf(name: string): string {
  if (name.startsWith("../")) return name.slice("../".length);
  return `tool/${name === INDEX ? "index.html" : name.replace(/\.md$/, ".html")}`;
}

/** Returns a text without its marks of code and links, for the head of the page. */
function plain(text: string): string {
  return text
    .replaceAll("`", "")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ");
}
