import { codeSpan, inline } from "../../../output/markup.js";
import { relativeUrl, urlToken } from "../../../output/url.js";
import { heading, paragraph, type Block } from "../blocks/block.js";
import {
  CHANGES_FILE,
  comparisonsOf,
  type ProfileComparison,
} from "../changes/profile-comparison.js";
import { comparisonBlocks, legend, topicBlocks, topicsOf } from "../changes/comparison-blocks.js";
import { comparisonContext } from "../changes/comparison-context.js";
import type { Article, PageScope, Site } from "../model/site.js";

/** The differences from the stable profile and from the version before, in numbers by topic. */
export const changesArticle: Article = {
  path: "changes.html",
  title: "Changes",
  summary:
    "Additions, removals and changes in this profile, compared with the stable profile and the previous version.",
  group: "reference",
  blocks: (scope) => {
    const all = comparisonsOf(scope.site);
    if (all.length === 0)
      return [
        paragraph(
          inline(
            "This is the first profile. The pages of later versions and of features list their differences from it.",
          ),
        ),
      ];
    return [
      ...legend(),
      paragraph(inline("Also as JSON: ", codeSpan(CHANGES_FILE, scope.toPage(CHANGES_FILE)), ".")),
      ...all.flatMap((changes) => {
        const context = comparisonContext(changes, scope);
        return [
          headingOf(changes, scope),
          ...comparisonBlocks(changes, context, (area) =>
            relativeUrl(scope.path, topicPath(area), `from-${changes.from}`),
          ),
        ];
      }),
    ];
  },
};

/** The differences by topic, a page each. */
export function topicArticles(site: Site): readonly Article[] {
  const page = { site, path: "", id: (wanted: string) => wanted };
  const titles = new Map(
    comparisonsOf(site)
      .flatMap((changes) => topicsOf(changes, comparisonContext(changes, page)))
      .map(({ area, title }) => [area, title]),
  );
  return [...titles].map(([area, title]) => ({
    path: topicPath(area),
    title: `Changes: ${title}`,
    summary: `Methods and types of the topic "${title}" that differ from the stable profile and from the previous version.`,
    group: "hidden",
    blocks: (scope) =>
      comparisonsOf(scope.site).flatMap((changes): readonly Block[] => {
        const topics = topicsOf(changes, comparisonContext(changes, scope), area);
        return topics.flatMap((topic) => [headingOf(changes, scope), ...topicBlocks(topic)]);
      }),
  }));
}

function topicPath(area: string): string {
  return `changes/${urlToken(area || "others")}.html`;
}

function headingOf({ from }: ProfileComparison, { site, id }: PageScope): Block {
  const { title } = site.siblings.get(from)!.protocol;
  return heading(id(`from-${from}`), inline(`From ${title} to ${site.protocol.title}`));
}
