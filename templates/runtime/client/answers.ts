import { hasAnyTrait, hasTrait, REOPENING } from "../find-method.js";
import type { MethodDescriptor } from "../methods.js";
import { isRecord } from "../rpc/messages.js";
import { SessionStateV1 } from "../session/v1.js";
import type { LiveState } from "./client-session.js";

/**
 * Folds the answer that opened a session into its state: the modes and their current one (version
 * 1), the configuration options and the commands (version 2).
 */
export function foldOpening(state: LiveState, response: unknown): void {
  if (!isRecord(response)) return;
  const { modes } = response;
  if (isRecord(modes) && state instanceof SessionStateV1) {
    state.setAvailableModes(modes["availableModes"] as never);
    foldMode(state, modes["currentModeId"]);
  }
  foldList(state, "config_option_update", "configOptions", response);
  foldList(state, "available_commands_update", "availableCommands", response);
}

/** Folds the answer to a call about a session into its state, as the update that would say the same. */
export function foldAnswer(
  state: LiveState,
  method: MethodDescriptor,
  params: { readonly [name: string]: unknown },
  response: unknown,
): void {
  if (hasAnyTrait(method, REOPENING)) return foldOpening(state, response);
  if (hasTrait(method, "sets-mode")) return foldMode(state, params["modeId"]);
  if (!isRecord(response)) return;
  if (hasTrait(method, "sets-config-option"))
    return foldList(state, "config_option_update", "configOptions", response);
  const { title } = response;
  if (hasTrait(method, "sets-title") && typeof title === "string")
    apply(state, "session_info_update", { title });
}

/** A mode that an update has reported already stays as it was reported. */
function foldMode(state: LiveState, currentModeId: unknown): void {
  const known = state instanceof SessionStateV1 ? state.mode : undefined;
  if ((known as { readonly currentModeId?: unknown })?.currentModeId === currentModeId) return;
  apply(state, "current_mode_update", { currentModeId });
}

function foldList(
  state: LiveState,
  sessionUpdate: string,
  name: string,
  response: { readonly [name: string]: unknown },
): void {
  const list = response[name];
  if (Array.isArray(list)) apply(state, sessionUpdate, { [name]: list });
}

function apply(state: LiveState, sessionUpdate: string, fields: object): void {
  state.apply({ sessionUpdate, ...fields });
}
