import type { CodeBlock } from "../../../output/markup.js";
import type { CodeSample, SiteCode } from "../../inputs.js";
import type { PageScope } from "../site-types.js";

/** The code of one language: one of the tabs between which readers choose. */
export interface CodeTab {
  readonly language: string;
  readonly samples: readonly SampleView[];
}

export interface SampleView {
  readonly caption: string;
  readonly code: CodeBlock;
}

/**
 * Returns a tab for TypeScript and one for each other language that has something to show.
 *
 * @param samplesOf the code of another language
 */
export function codeTabs(
  typescript: readonly SampleView[],
  samplesOf: (code: SiteCode) => readonly CodeSample[],
  { site, toType }: PageScope,
): readonly CodeTab[] {
  const others = site.code.map((code): CodeTab => {
    const find = (word: string): ReturnType<typeof toType> | undefined => {
      const name = code.definitionOf(word);
      return name === undefined ? undefined : toType(name);
    };
    return {
      language: code.language,
      samples: samplesOf(code).map(({ caption, text }) => ({
        caption,
        code: { markup: "block", language: code.syntax, text, find },
      })),
    };
  });
  return [{ language: "TypeScript", samples: typescript }, ...others].filter(
    ({ samples }) => samples.length > 0,
  );
}
