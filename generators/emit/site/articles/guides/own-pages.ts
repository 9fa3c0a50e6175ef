import { InputError, type Problem } from "../../../../schema/problem.js";
import { fileToken, isExternal } from "../../../../output/url.js";
import type { Site } from "../../model/site.js";
import { LINK, linkTarget } from "./guide-blocks.js";
import { siteHas } from "./guide-chunks.js";
import { isMessageExample } from "./guide-messages.js";
import { appliesTo, readGuide, type Guide } from "./read-guides.js";

/** The page of the user that begins the front page. */
export const FRONT_FILE = "index.md";

/**
 * Reads the pages of the user, which are guides: see `readGuides` for what they may contain.
 *
 * @param pages their texts, by the paths that messages name
 * @throws InputError with every mistake in their names, heads and Markdown
 */
export function readPages(pages: ReadonlyMap<string, string>): readonly Guide[] {
  const problems: Problem[] = [];
  const guides = [...pages].flatMap(([file, text]): Guide[] => {
    try {
      const guide = readGuide(file, text, true);
      problems.push(...nameProblems(guide), ...markdownProblems(guide));
      return [guide];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems);
  return guides;
}

/** Whether a page of the user is the front page rather than one of a profile. */
export function isFrontPage({ file }: Pick<Guide, "file">): boolean {
  return file === FRONT_FILE || file.endsWith(`/${FRONT_FILE}`);
}

function nameProblems({ file, article }: Guide): readonly Problem[] {
  const name = article.path.replace(/\.html$/, "");
  if (/^[a-z0-9][a-z0-9-]*$/.test(name) && fileToken(name) === name) return [];
  const message = `${JSON.stringify(name)} cannot be the address of a page`;
  return [{ file, message, hint: "Name the file with lower-case letters, digits and hyphens." }];
}

/** Markdown that pages cannot have, with the reason or the remedy. */
const UNSUPPORTED: readonly (readonly [form: RegExp, message: string, hint: string])[] = [
  [
    /^# /,
    "has a heading of the first level",
    'The title is in the line "title:"; begin with "## ".',
  ],
  [/^#{4,} /, "has a heading below the third level", 'Use "## " and "### ".'],
  [/!\[[^\]]*\]\(/, "has an image, which pages cannot have", "Link to it, or describe it."],
  [
    /<\/?[a-z][^>]*>/i,
    "has HTML, which pages show as text",
    "Write Markdown, or code in backticks.",
  ],
  [
    /\*\*\S|(?:^|\s)__\S|(?:^|[\s(])([*_])[^\s*_](?:[^*_]*[^\s*_])?\1(?=[\s).,:;!?]|$)/,
    "has emphasis, which pages show as text",
    "Write code in backticks, or plain text.",
  ],
  [/^\s+(-|\d+\.) /, "has a list in a list", "Write one list, or headings."],
  [/^[*+] /, "has a list that does not begin with a hyphen", 'Begin items with "- ".'],
  [/^```/, "has a fence without an end", 'End it with a line "```".'],
];

function markdownProblems({ file, chunks }: Guide): readonly Problem[] {
  return chunks.flatMap((chunk): readonly Problem[] => {
    if (chunk.kind === "table")
      return [{ file, message: `has the table ${chunk.name}`, hint: "Write it as Markdown." }];
    if (chunk.kind === "fence") {
      if (!isFrontPage({ file }) || !isMessageExample(chunk)) return [];
      const hint = "Show it on a page of a profile, and link to that.";
      return [{ file, message: `has the message "${chunk.use}"`, hint }];
    }
    return chunk.lines.flatMap((line): Problem[] => {
      const plain = line.replaceAll(/`[^`]+`/g, "");
      return UNSUPPORTED.filter(([form]) => form.test(plain)).map(([, message, hint]) => ({
        file,
        message: `${message}: ${JSON.stringify(line.trim().slice(0, 60))}`,
        hint,
      }));
    });
  });
}

/**
 * Checks that each page of the user is a page of some profile, and that its links lead somewhere.
 *
 * @param sites those of all profiles
 * @param hasPage whether the whole site has a page, by its path
 * @throws InputError with every problem
 */
export function checkPages(
  pages: readonly Guide[],
  sites: readonly Site[],
  hasPage: (path: string) => boolean,
): void {
  const problems = pages.flatMap((page) => [
    ...(isFrontPage(page) ? [] : placeProblems(page, pages, sites)),
    ...linkProblems(page, sites, hasPage),
  ]);
  if (problems.length > 0) throw new InputError(problems);
}

/** Checks that some profile has a page, and no other page of the user at its address. */
function placeProblems(
  page: Guide,
  pages: readonly Guide[],
  sites: readonly Site[],
): readonly Problem[] {
  const { file, needs, article } = page;
  const owners = sites.filter((site) => appliesTo(page, site));
  const earlier = pages.slice(0, pages.indexOf(page));
  const other = earlier.find(
    (one) => one.article.path === article.path && owners.some((site) => appliesTo(one, site)),
  );
  if (other !== undefined)
    return [{ file, message: `has the address of ${other.file}`, hint: "Rename one of them." }];
  if (owners.length > 0) return [];
  const missing = needs.find((name) => sites.every((site) => !siteHas(name, site)));
  const message =
    missing === undefined
      ? "is for a version that the site does not have"
      : `is about ${JSON.stringify(missing)}, which no profile of the site has`;
  return [{ file, message, hint: "Correct the name, add the feature, or remove the page." }];
}

function linkProblems(
  { file, chunks, article }: Guide,
  sites: readonly Site[],
  hasPage: (path: string) => boolean,
): readonly Problem[] {
  const texts = chunks.flatMap((chunk) => (chunk.kind === "lines" ? chunk.lines.join(" ") : []));
  const targets = texts.flatMap((text) => text.split(LINK).filter((_, index) => index % 3 === 2));
  return targets.flatMap((target): Problem[] => {
    if (/^[a-z]+:/i.test(target)) {
      if (isExternal(target)) return [];
      const hint = "Links lead to https, http and mailto addresses, without quotes and brackets.";
      return [{ file, message: `has the link ${JSON.stringify(target)}`, hint }];
    }
    const [name] = linkTarget(target);
    const path = name.replace(/\.md$/, ".html") || article.path;
    const isThere = path.startsWith("../")
      ? hasPage(path.slice("../".length))
      : sites.some(({ paths }) => paths.has(path));
    if (isThere) return [];
    const hint = "Name a page, such as permission.html or methods/session/prompt.html.";
    return [{ file, message: `links to ${target}, which is not a page of the site`, hint }];
  });
}

/**
 * Checks that the parts of pages to which pages of the user link exist.
 *
 * @param pages the paths of the pages of the user, by their files
 * @param html the text of every page, by its path
 * @throws InputError with every link that leads nowhere
 */
export function checkAnchors(
  pages: ReadonlyMap<string, string>,
  html: ReadonlyMap<string, string>,
): void {
  const problems = [...pages].flatMap(([path, file]) => {
    const main = html.get(path)!.split("<main")[1]!.split("</main>")[0]!;
    const links = [...main.matchAll(/href="([^"#:]*)#([^"]*)"/g)];
    return links.flatMap(([, target = "", id = ""]): Problem[] => {
      const url = new URL(target, `https://site/${path}`);
      if (html.get(target === "" ? path : url.pathname.slice(1))?.includes(` id="${id}"`))
        return [];
      const message = `links to ${target}#${id}, which is not a part of that page`;
      return [{ file, message, hint: "Correct the part, or leave it out." }];
    });
  });
  if (problems.length > 0) throw new InputError(problems);
}
