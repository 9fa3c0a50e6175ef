import { inline, textLink } from "../../output/markup.js";
import { isOf } from "../../schema/docs-source.js";
import { articlePage } from "./article.js";
import { paragraph } from "./block.js";
import type { Page } from "./page.js";
import type { Site } from "./site.js";

/** What stands at the addresses of pages that are gone, so that links to them keep working. */
export function tombstones(site: Site): readonly Page[] {
  return site.docs.moved
    .filter((moved) => isOf(moved, site.protocol.version) && !site.paths.has(moved.page))
    .map(({ page, to, text }) =>
      articlePage(
        {
          path: page,
          title: "This page has moved",
          summary: "What stood here is gone or has another name.",
          group: "hidden",
          blocks: (scope) => {
            const url = to === undefined ? scope.toIndex() : (scope.toPage(to) ?? scope.toIndex());
            return [
              ...scope.prose(text).map(paragraph),
              paragraph(inline(textLink("Go there", url), ".")),
            ];
          },
        },
        site,
      ),
    );
}
