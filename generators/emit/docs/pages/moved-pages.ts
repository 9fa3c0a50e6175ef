import { inline, textLink } from "../../../output/markup.js";
import { isOf } from "../../../schema/source/docs-source.js";
import { articlePage } from "./article.js";
import { paragraph } from "../parts/block.js";
import { successor } from "../frame/moved-anchors.js";
import type { Page } from "../frame/frame.js";
import type { Site } from "../site-types.js";

/** What stands at the addresses of pages that are gone, so that links to them keep working. */
export function tombstones(site: Site): readonly Page[] {
  return site.docs.moved
    .filter(({ id }) => id === undefined)
    .filter((moved) => isOf(moved, site.protocol.version) && !site.paths.has(moved.page))
    .map((moved) =>
      articlePage(
        {
          path: moved.page,
          title: "This page has moved",
          summary: "What stood here is gone or has another name.",
          group: "hidden",
          blocks: (scope) => [
            ...scope.prose(moved.text).map(paragraph),
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
