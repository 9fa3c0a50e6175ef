import { createAgents, type AgentDefinition } from "./runtime/agent/define-agent.js";
import type { CommonSession } from "./runtime/agent/common-turn.js";
import type { VersionedAgent } from "./runtime/role/versions.js";
import {
  createAgent as createAgentV1,
  type AgentHandlers as HandlersV1,
  type AgentSession as SessionV1,
} from "./v1/roles.js";
import {
  createAgent as createAgentV2,
  type AgentHandlers as HandlersV2,
  type AgentSession as SessionV2,
} from "./v2/roles.js";

export type { AgentTerminal, AgentToolCall } from "./runtime/agent/agent-session.js";
export type {
  CommonPlanEntry,
  CommonSession,
  CommonToolCall,
} from "./runtime/agent/common-turn.js";
export type {
  CommonStopReason,
  ListedSession,
  SessionPlace,
} from "./runtime/agent/define-agent.js";
export { SessionStore } from "./runtime/agent/session-store.js";
export { audio, image, resource, resourceLink, text, toolText } from "./runtime/session/blocks.js";
export {
  ALLOW_ALWAYS,
  ALLOW_ONCE,
  REJECT_ALWAYS,
  REJECT_ONCE,
} from "./runtime/session/permission.js";

type BlockOf<Prompt> = Prompt extends (params: infer Params, ...rest: never[]) => unknown
  ? Params extends { readonly prompt: readonly (infer Block)[] }
    ? Block
    : never
  : never;

/** A block of a prompt, of either version. */
export type PromptBlock =
  | BlockOf<NonNullable<HandlersV1["session"]["prompt"]>>
  | BlockOf<NonNullable<NonNullable<HandlersV2["session"]>["prompt"]>>;

/** The work on a prompt, in either version. */
export interface AgentTurn extends CommonSession<PromptBlock> {
  /** The session of version 1; undefined in other versions. */
  readonly v1?: SessionV1;
  /** The session of version 2; undefined in other versions. */
  readonly v2?: SessionV2;
}

/**
 * Defines an agent for all versions of the protocol. Serve it with `serveVersions`.
 *
 * @typeParam State the state that the agent keeps for each session
 */
export function defineAgent<State = undefined>(
  definition: AgentDefinition<State, PromptBlock, CommonSession<PromptBlock>, AgentTurn>,
): VersionedAgent[] {
  return createAgents(definition, { v1: createAgentV1, v2: createAgentV2 });
}
