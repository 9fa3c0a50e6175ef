import type { Inline } from "../../output/markup.js";
import type { Url } from "../../output/url.js";
import type { Block } from "./blocks/block.js";
import type { FigureView } from "./blocks/figure.js";

/** A page above the profiles. */
export interface RootPage {
  /** Below the whole site. */
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly blocks: readonly Block[];
  /** What only the front page has. */
  readonly hero?: HeroView;
}

/** The beginning of the front page: the ways in, and an agent in every language. */
export interface HeroView {
  readonly doors: readonly { readonly title: string; readonly url: Url }[];
  readonly command: FigureView | undefined;
  readonly counts: Inline;
  readonly code: FigureView | undefined;
  /** The messages of a turn. */
  readonly turn: readonly {
    /** What the message says in a recorded turn. */
    readonly says: string;
    readonly isBack: boolean;
    readonly link: Inline;
    readonly about: string;
  }[];
}
