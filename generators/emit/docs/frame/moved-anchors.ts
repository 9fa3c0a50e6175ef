import { inline, textLink, type Inline } from "../../../output/markup.js";
import { isOf, type MovedSource } from "../../../schema/source/docs-source.js";
import { InputError, type Problem } from "../../../schema/problem.js";
import type { PageScope, Site } from "../site-types.js";

/** A part of a page that is gone; its id stays, so that links to it lead to what is said here. */
export interface GoneView {
  readonly id: string;
  readonly text: Inline;
  readonly link: Inline | undefined;
}

/** The parts that a page had before. */
export function goneParts(scope: PageScope): readonly GoneView[] {
  return scope.site.docs.moved
    .filter((moved) => isOf(moved, scope.site.protocol.version) && moved.page === scope.path)
    .flatMap((moved) =>
      moved.id === undefined
        ? []
        : [
            {
              id: moved.id,
              text: inline(...scope.prose(moved.text)),
              link: successor(moved, scope),
            },
          ],
    );
}

/** The way to what stands in the place of something that is gone; nothing when the profile has nothing. */
export function successor({ to }: MovedSource, scope: PageScope): Inline | undefined {
  const [path = "", id] = (to ?? "").split("#");
  const url = scope.toPage(path, id);
  return url && inline(textLink("Go there", url), ".");
}

/**
 * A part that is said to be gone must not be there, or its id would stand on
 * the page twice.
 *
 * @throws InputError with every entry that is not needed any more
 */
export function refuseGoneThatIs(
  site: Site,
  pages: readonly { readonly path: string; readonly html: string }[],
): void {
  const problems = site.docs.moved
    .filter((moved) => isOf(moved, site.protocol.version))
    .flatMap(({ page, id }): Problem[] => {
      const html = id === undefined ? undefined : pages.find(({ path }) => path === page)?.html;
      if (html === undefined || html.split(` id="${id!}"`).length <= 2) return [];
      return [
        {
          message: `${page}#${id!} is said to be gone, but is there (${site.protocol.profile})`,
          hint: "Remove its entry from schema/docs/moved.json.",
        },
      ];
    });
  if (problems.length > 0) throw new InputError(problems);
}
