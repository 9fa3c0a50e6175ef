import { prose } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import { markdownBlocks } from "../articles/guides/guide-blocks.js";
import { codeExample } from "../parts/block.js";
import type { RootPage } from "./root-page.js";

const FOLDER = "docs/guides/tool/";
const INDEX = "README.md";

/**
 * The manual of the tool: the Markdown files that a code host shows as they
 * are, a title, a summary and text each, as pages above the profiles.
 *
 * @param templates the text of the templates by path
 * @param others the paths of the pages that the generator adds to the manual
 * @returns the index first, the others in the order in which it links to them
 */
export function manualPages(
  templates: ReadonlyMap<string, string>,
  others: readonly string[],
): readonly RootPage[] {
  const index = templates.get(FOLDER + INDEX);
  if (index === undefined) return [];
  const linked = [...index.matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, name]) => name!);
  return [INDEX, ...linked].map((name) => {
    const text = templates.get(FOLDER + name);
    const parts = /^# ([^\n]+)\n\n([^\n]+)\n\n([^]*)$/.exec(text ?? "");
    if (parts === null)
      throw new Error(`templates/${FOLDER}${name} needs a title, a summary and text`);
    const [, title, summary, rest] = parts as unknown as [string, string, string, string];
    const path = pathOf(name);
    const blocks = markdownBlocks(rest, {
      named: (line) => line,
      prose: (line) => prose(line, () => undefined),
      toPage: (page, id) =>
        others.includes(pathOf(page)) || templates.has(FOLDER + page)
          ? relativeUrl(path, pathOf(page), id)
          : undefined,
      id: (token) => token,
      fence: ({ language, text: code }) => [
        codeExample({ markup: "block", language: language as "sh", text: code }),
      ],
    });
    return { path, title, lead: plain(summary), blocks };
  });
}

function pathOf(name: string): string {
  return `tool/${name === INDEX ? "index.html" : name.replace(/\.md$/, ".html")}`;
}

/** Returns a summary without its code marks, for the head of the page. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}
