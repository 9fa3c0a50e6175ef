import type { ProfileName } from "../../model/build/build.js";
import type { Bundle } from "../../schema/compose/bundle.js";

/** A bundle and the name that its output gets. */
export interface Input {
  readonly bundle: Bundle;
  readonly profile: ProfileName;
}
