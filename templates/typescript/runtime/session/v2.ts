import { SessionState } from "./session-state.js";
import type { TerminalState, ToolCallStateV2 } from "./states.js";
import type { AnyUpdate, Variant } from "./updates.js";

/**
 * The state of one session in version 2.
 *
 * Everything has an id, and the first update with an id creates the item. In a patch, an absent
 * field is kept, `null` clears it and a value replaces it; `_meta` is merged by top-level key. A
 * chunk is appended; its `_meta` describes only the chunk and is not kept.
 */
export class SessionStateV2<Update extends AnyUpdate = AnyUpdate> extends SessionState<
  Update,
  ToolCallStateV2<Update>
> {
  /** The last reported state of the foreground work; a session without one is idle. */
  readonly state?: Variant<Update, "state_update">;
  /** Terminals of the agent. */
  readonly terminals: ReadonlyMap<string, TerminalState<Update>> = new Map();
}
