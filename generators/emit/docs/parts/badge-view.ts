import type { Inline } from "../../../output/markup.js";

/** A short fact in a frame of its own. */
export interface BadgeView {
  readonly label: Inline;
  /** A word of ours; the stylesheet knows it. */
  readonly tone:
    "plain" | "kind" | "gate" | "unknown" | "breaking" | "unstable" | "frozen" | "proposed";
}
