import type { Drift } from "../../output/drift.js";

/** The changes of a run; with `check`, those it would make. */
export interface GenerateResult extends Drift {
  /** The output folder, absolute. */
  readonly out: string;
  /** Whether an earlier run was killed while it moved files. The next run that writes completes it. */
  readonly interrupted: boolean;
  /** Why the output is stale, in sentences; without `check` only that another version has made it. */
  readonly causes: readonly string[];
  /** Files that somebody has changed since; empty unless `check` is set. A run refuses to replace them. */
  readonly edited: readonly string[];
  /** Files in generated folders that no run has generated; empty unless `check` is set. */
  readonly foreign: readonly string[];
}
