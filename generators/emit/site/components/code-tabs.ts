import { inline } from "../../../output/markup.js";
import { fragmentUrl, type Url } from "../../../output/url.js";
import type { CodeSample, SiteCode } from "../../inputs.js";
import { stepId } from "../model/type-uses.js";
import type { PageScope } from "../model/site.js";
import { sample, tabbed, type FigureView, type TabView } from "../blocks/figure.js";

/** What the code of a type has besides that of a method. */
interface TypeParts {
  /** The properties that have rows on the page. */
  readonly properties: readonly string[];
  /** The other forms of the same. */
  readonly more: readonly Pick<TabView, "name" | "samples">[];
}

/**
 * Returns a tab for each language that has something to show.
 *
 * @param choice the name of the choice on the page
 * @param samplesOf the code of a language
 */
export function codeTabs(
  choice: string,
  samplesOf: (code: SiteCode) => readonly CodeSample[],
  { site, path, toType }: PageScope,
  { properties, more }: TypeParts = { properties: [], more: [] },
): FigureView {
  const languages = site.code.map((code) => {
    const find = (word: string): Url | undefined => {
      const name = code.definitionOf(word);
      if (name !== undefined) return site.typePaths.get(name) === path ? undefined : toType(name);
      const isProperty = code.hasWireNames && properties.includes(word);
      return isProperty ? fragmentUrl(stepId([{ kind: "field", name: word }])) : undefined;
    };
    return {
      name: code.language,
      samples: samplesOf(code).map(({ caption, text }) =>
        sample({ markup: "block", language: code.syntax, text, find }, inline(caption)),
      ),
    };
  });
  const tabs = [...languages, ...more].filter(({ samples }) => samples.length > 0);
  return tabbed(choice, tabs, true);
}
