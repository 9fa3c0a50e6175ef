import type { ProfileName } from "../../model/build/build.js";
import type { Bundle } from "../../schema/compose/bundle.js";
import type { Undecided } from "../../schema/import/find-methods.js";
import type { AllowedCounts, Lost } from "../options.js";
import type { Sources } from "../../schema/source/sources.js";

/** A bundle and the name that its output gets. */
export interface Input {
  readonly bundle: Bundle;
  readonly profile: ProfileName;
  /** A sentence for each selected feature that has become part of the base. */
  readonly promoted?: readonly string[];
  /** The names that definitions of an imported schema have got, by those in its document. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** The forms of an imported schema that were allowed. */
  readonly allowed?: AllowedCounts;
  /** What the output does not have of an imported schema; absent without any. */
  readonly lost?: Lost;
  /** What an imported schema does not say about its methods. */
  readonly undecided?: Undecided;
  /** The schema that it was composed from; absent for an imported one. */
  readonly sources?: Sources;
}
