import { cancel } from "./cases/cancel.js";
import { depth } from "./cases/depth.js";
import { ends } from "./cases/ends.js";
import { floods } from "./cases/floods.js";
import { framing } from "./cases/framing.js";
import { invalid } from "./cases/invalid.js";
import { jsonTexts } from "./cases/json-texts.js";
import { keys } from "./cases/keys.js";
import { results } from "./cases/results.js";
import type { Fault } from "./fault.js";

/** Everything that goes wrong, in the order of the numbers. */
export const FAULTS: readonly Fault[] = [
  ...framing,
  ...jsonTexts,
  ...depth,
  ...results,
  ...keys,
  ...floods,
  ...cancel,
  ...ends,
  ...invalid,
].sort((one, two) => Number(one.id.slice(1)) - Number(two.id.slice(1)));
