import { inline, type CodeBlock } from "../../../output/markup.js";
import type { CodeSample, SiteCode } from "../../inputs.js";
import type { PageScope } from "../site-types.js";
import { sample, tabbed, type FigureView, type TabView } from "./figure.js";

/** A piece of TypeScript, and what it is. */
export interface SampleView {
  readonly caption: string;
  readonly code: CodeBlock;
}

/**
 * Returns a tab for TypeScript, one for each other language that has something to show, and the
 * other forms of the same.
 *
 * @param choice the name of the choice on the page
 * @param samplesOf the code of another language
 */
export function codeTabs(
  choice: string,
  typescript: readonly SampleView[],
  samplesOf: (code: SiteCode) => readonly CodeSample[],
  { site, toType }: PageScope,
  more: readonly Pick<TabView, "name" | "samples">[] = [],
): FigureView {
  const others = site.code.map((code) => {
    const find = (word: string): ReturnType<typeof toType> | undefined => {
      const name = code.definitionOf(word);
      return name === undefined ? undefined : toType(name);
    };
    return {
      name: code.language,
      samples: samplesOf(code).map(({ caption, text }) =>
        sample({ markup: "block", language: code.syntax, text, find }, inline(caption)),
      ),
    };
  });
  const own = typescript.map(({ caption, code }) => sample(code, inline(caption)));
  const tabs = [{ name: "TypeScript", samples: own }, ...others, ...more];
  return tabbed(
    choice,
    tabs.filter(({ samples }) => samples.length > 0),
    true,
  );
}
