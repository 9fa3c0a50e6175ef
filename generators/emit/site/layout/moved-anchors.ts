import { inline, textLink, type Inline } from "../../../output/markup.js";
import { isOf, type MovedSource } from "../../../schema/source/docs-source.js";
import { InputError, type Problem } from "../../../schema/problem.js";
import type { PageScope, Site } from "../model/site.js";

/** A former part of a page; its id stays, so that old links lead to this text. */
export interface MovedAnchor {
  readonly id: string;
  readonly text: Inline;
  readonly link: Inline | undefined;
}

/** Returns the former parts of a page. */
export function movedAnchors(scope: PageScope): readonly MovedAnchor[] {
  return scope.site.docs.moved
    .filter((moved) => isOf(moved, scope.site.protocol.version) && moved.page === scope.path)
    .flatMap((moved) => {
      if (moved.id === undefined) return [];
      const text = inline(...scope.prose(moved.text));
      return [{ id: moved.id, text, link: successor(moved, scope) }];
    });
}

/** Returns the link to the successor of a moved page or part; undefined when the profile has none. */
export function successor({ to }: MovedSource, scope: PageScope): Inline | undefined {
  const [path = "", id] = (to ?? "").split("#");
  const url = scope.toPage(path, id);
  return url && inline(textLink("Go there", url), ".");
}

/**
 * A moved part must not exist any more, or its id would be on
 * the page twice.
 *
 * @throws InputError with every entry that is not needed any more
 */
export function refuseMovedThatExist(
  site: Site,
  pages: readonly { readonly path: string; readonly html: string }[],
): void {
  const problems = site.docs.moved
    .filter((moved) => isOf(moved, site.protocol.version))
    .flatMap(({ page, id }): Problem[] => {
      const html = id === undefined ? undefined : pages.find(({ path }) => path === page)?.html;
      if (html === undefined || html.split(` id="${id!}"`).length <= 2) return [];
      const message = `${page}#${id!} is listed as moved but still exists (${site.protocol.profile})`;
      return [{ message, hint: "Remove its entry from schema/docs/moved.json." }];
    });
  if (problems.length > 0) throw new InputError(problems);
}
