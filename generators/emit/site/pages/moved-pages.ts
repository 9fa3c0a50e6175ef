import { inline, textLink } from "../../../output/markup.js";
import { isOf } from "../../../schema/source/docs-source.js";
import { articlePage } from "./article-page.js";
import { paragraph, paragraphs } from "../blocks/block.js";
import { successor } from "../layout/moved-anchors.js";
import type { Page } from "../layout/frame.js";
import type { Site } from "../model/site.js";

/** Pages at former addresses, so that links to them keep working. */
export function movedPages(site: Site): readonly Page[] {
  return site.docs.moved
    .filter(({ id }) => id === undefined)
    .filter((moved) => isOf(moved, site.protocol.version) && !site.paths.has(moved.page))
    .map((moved) =>
      articlePage(
        {
          path: moved.page,
          title: "This page has moved",
          summary: "This page was removed or renamed.",
          group: "hidden",
          blocks: (scope) => [
            ...paragraphs(scope.prose(moved.text)),
            paragraph(
              successor(moved, scope) ??
                inline(textLink("Go to the overview", scope.toIndex()), "."),
            ),
          ],
        },
        site,
      ),
    );
}
