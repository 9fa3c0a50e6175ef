import type { FrontView } from "./front-view.js";
import type { Block } from "../parts/block.js";

/** A page above the profiles. */
export interface RootPage {
  /** Below the whole site. */
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly blocks: readonly Block[];
  /** What only the front page has. */
  readonly front?: FrontView;
}
