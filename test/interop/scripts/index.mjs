// The conversation of each profile.

import { nes } from "./nes.mjs";
import { v1Unstable } from "./v1-unstable.mjs";
import { v1 } from "./v1.mjs";
import { v2Unstable } from "./v2-unstable.mjs";
import { v2 } from "./v2.mjs";

export const SCRIPTS = {
  v1,
  "v1-unstable": v1Unstable,
  "v1-full": nes,
  v2,
  "v2-unstable": v2Unstable,
};
