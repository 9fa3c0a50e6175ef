import type { StateChange } from "../session/state-table.js";

/** The changes by an update, by the version and the tag, which the compiler takes from the schema; none among the templates. */
export const STATE_CHANGES: { readonly [update: string]: readonly StateChange[] } = {};
