import type { Inline } from "../../../output/markup.js";
import type { Url } from "../../../output/url.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { CardView } from "../parts/block.js";
import type { FigureView } from "../parts/figure.js";

/** What is on the front page besides its blocks; a part without contents is left out. */
export interface FrontView {
  readonly doors: readonly DoorView[];
  readonly command: FigureView | undefined;
  readonly counts: Inline;
  /** An agent in every language. */
  readonly code: FigureView | undefined;
  readonly turn: readonly StepView[];
  readonly readers: readonly GroupView[];
  readonly versions: readonly VersionView[];
  readonly tools: readonly CardView[];
  /** What the site is made from. */
  readonly about: Inline | undefined;
  readonly releases: readonly Inline[];
}

export interface DoorView {
  readonly title: string;
  readonly url: Url;
}

/** A message of a turn. */
export interface StepView {
  readonly isBack: boolean;
  readonly link: Inline;
  readonly about: string;
}

export interface GroupView {
  readonly title: string;
  readonly about: string;
  readonly links: readonly Inline[];
}

export interface VersionView {
  readonly link: Inline;
  readonly badges: readonly BadgeView[];
  readonly about: string;
  readonly profiles: readonly {
    readonly link: Inline;
    readonly badges: readonly BadgeView[];
    readonly count: string;
  }[];
}
