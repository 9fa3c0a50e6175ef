import { languageTitle } from "../../../output/highlight.js";
import { LANGUAGES } from "../../../output/languages.js";
import { visible } from "../../../output/text.js";
import { isAcp, officialText, withSiteTitle } from "../layout/identity.js";
import type { Site } from "../model/site.js";
import type { RenderedPage } from "../render.js";

/** The index of a profile for language models (llmstxt.org): every page with a line about it. */
export function llmsText(site: Site, pages: readonly RenderedPage[]): string {
  const { protocol, docs, settings } = site;
  const draft = docs.drafts[protocol.version];
  const section = (title: string, isIn: RegExp): string => {
    const lines = pages
      .filter(({ path }) => isIn.test(path))
      .map(({ path, summary, markdown }) => {
        const [, title = ""] = /^# (.*)$/m.exec(markdown) ?? [];
        return `- [${title}](${path}.md): ${visible(summary)}`;
      });
    return `## ${title}\n\n${lines.join("\n")}\n`;
  };
  return [
    `# ${visible(withSiteTitle(protocol.title, settings))}\n`,
    `> ${protocol.description}${draft === undefined ? "" : ` ${draft.replaceAll("`", "")}`}\n`,
    `${isAcp(site) ? ACP : ""}Which file answers what:\n`,
    FILES,
    officialText(site),
    section("Pages", /^(?!methods\/|types\/)/),
    section("Methods", /^methods\//),
    section("Types", /^types\//),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const ACP =
  "The Agent Client Protocol is JSON-RPC 2.0 between an editor (the client) and a coding agent. ";

const FILES = `- How the protocol works, and how to write an agent or an editor: llms-small.txt, the guides and methods in one text
- One method, type or guide: its page in the lists below
- What a message must look like: schema.json; all methods with their sides: openrpc.json
- What changed between profiles and versions: changes.json; which behavior is required: rules.html.md
- Everything, too long for most contexts: llms-full.txt
`;

/** The guides and the methods in one text, with code in TypeScript only; without types, lists, links and `_meta`. */
export function llmsSmallText(site: Site, pages: readonly RenderedPage[]): string {
  const isLong =
    /^types\/|^(changes|checklist|downloads|features|validator|index)\b|^flows|^rules\//;
  const own = pages.filter(({ path }) => !isLong.test(path));
  return llmsFullText(site, own)
    .replace(OTHER_LANGUAGES, "")
    .replace(/^- `_meta` [^\n]*\n(?: {2}- [^\n]*\n)*/gm, "")
    .replace(/\[([^\]\n]+)\]\((?![a-z]+:)[^)\s]*\)/g, "$1")
    .replace(/\n{3,}/g, "\n\n");
}

/** A sample in a further language, with its caption. */
const OTHER_LANGUAGES = new RegExp(
  `^(?:${LANGUAGES.map(languageTitle).join("|")})(?:, [^\\n]*)?:\n\n\`\`\`[^]*?\n\`\`\`\n`,
  "gm",
);

/** Pages of a profile in one Markdown text, with links as seen from the folder of the profile. */
export function llmsFullText({ protocol, settings }: Site, pages: readonly RenderedPage[]): string {
  const text = pages
    .map(({ path, markdown }) => {
      const body = markdown.slice(markdown.indexOf("\n# ") + 1, markdown.lastIndexOf("\n---\n"));
      const linked = body.replace(LINK_TARGET, (whole, before: string, target: string) =>
        /^[a-z]+:/.test(target) ? whole : `${before}${linkFrom(path, target, protocol, settings)}`,
      );
      return `<!-- ${path} -->\n\n${linked.trim()}\n`;
    })
    .join("\n");
  // Node.js keeps a text of this length outside of the heap, which all others of the site fill.
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/** The target of a Markdown link, with what is before it. */
const LINK_TARGET = /(\]\()([^)\s]+)/g;

/** Resolves a link of a page: against the address of the site, or else against the profile's folder. */
function linkFrom(
  path: string,
  target: string,
  { profile }: Site["protocol"],
  { url }: Site["settings"],
): string {
  const { pathname, hash } = new URL(target, `file:///${profile}/${path}`);
  const place = `${pathname.slice(1)}${hash}`;
  if (url !== undefined) return `${url}/${place}`;
  return place.startsWith(`${profile}/`) ? place.slice(profile.length + 1) : `../${place}`;
}
