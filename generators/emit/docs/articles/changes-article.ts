import { codeSpan, inline } from "../../../output/markup.js";
import { heading, paragraph, type Block } from "../parts/block.js";
import {
  CHANGES_FILE,
  comparisonsOf,
  type ProfileComparison,
} from "../changes/profile-comparison.js";
import { comparisonBlocks, legend } from "../changes/comparison-blocks.js";
import type { Article, PageScope } from "../site-types.js";

const CHANGES_PATH = "changes.html";

/** The differences from the stable profile and from the version before. */
export const changesArticle: Article = {
  path: CHANGES_PATH,
  title: "Changes",
  summary:
    "Additions, removals and changes in this profile, compared with the stable profile and the version before.",
  group: "reference",
  blocks: (scope) => {
    const all = comparisonsOf(scope.site);
    return [
      ...(all.length === 0
        ? [
            paragraph(
              inline(
                "This is the first profile. The pages of later versions and of features list their differences from it.",
              ),
            ),
          ]
        : [
            ...legend(),
            paragraph(
              inline("Also as JSON: ", codeSpan(CHANGES_FILE, scope.toPage(CHANGES_FILE)), "."),
            ),
          ]),
      ...all.flatMap((changes) => changesBlocks(changes, scope)),
    ];
  },
};

function changesBlocks(
  changes: ProfileComparison,
  { site, path, id }: PageScope,
): readonly Block[] {
  const before = site.siblings.get(changes.from)!;
  const part = id(`from-${changes.from}`);
  return [
    heading(part, inline(`From ${before.protocol.title} to ${site.protocol.title}`)),
    ...comparisonBlocks(changes, {
      path: `${site.protocol.profile}/${path}`,
      before,
      after: site,
      id: (wanted) => id(`${part}-${wanted}`),
    }),
  ];
}
