import type { Inline } from "../../../output/markup.js";

/** A short fact in a frame. */
export interface BadgeView {
  readonly label: Inline;
  /** Selects the style. */
  readonly tone:
    | "plain"
    | "kind"
    | "gate"
    | "unknown"
    | "breaking"
    | "draft"
    | "unstable"
    | "frozen"
    | "proposed"
    | "vendor";
}
