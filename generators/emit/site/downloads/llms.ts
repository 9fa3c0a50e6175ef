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
    `${isAcp(site) ? ACP : ""}The schema is in schema.json, all pages together are in llms-full.txt.\n`,
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

/** All pages of a profile in one Markdown text, with links as seen from the folder of the profile. */
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
