import { methodWith } from "../../../model/method-with.js";
import type { Protocol } from "../../../model/protocol.js";
import { stateTable } from "../../../model/session-state.js";
import {
  code,
  docComment,
  identifier,
  joinCode,
  literal,
  type Code,
} from "../../../output/code.js";
import type { Json } from "../../../schema/json-schema/json.js";
import type { MethodTrait } from "../../../schema/source/sources.js";
import { connectedName, type ModuleOf, type RoleName } from "./interfaces.js";
import { sessionUpdates, type UpdateTypes } from "./session-updates.js";

/** Prints the property of a role that creates its sessions. */
export function sessionsProperty(role: RoleName, protocol: Protocol): Code {
  const updates = sessionUpdates(protocol);
  return updates === undefined
    ? code``
    : code`sessions: ${identifier(`${role}Sessions${updates.version}`)}${role === "client" ? code`(STATE_TABLE)` : code``},`;
}

/** The runtime's types of the parts of an agent's session. */
const PARTS = [
  "AgentTurns",
  "ClientTerminals",
  "IdleIn",
  "MessageUpdates",
  "PlanUpdates",
  "SessionUpdates",
  "ThoughtUpdates",
  "ToolCallOf",
  "ToolCalls",
];

/**
 * Prints the imports and re-exports that sessions need.
 *
 * @param printed the types of sessions: only what they use is imported
 */
export function sessionImports(protocol: Protocol, printed: Code): Code {
  const updates = sessionUpdates(protocol);
  if (updates === undefined) return code``;
  const used = PARTS.filter((name) => printed.includes(`${name}<`)).map(identifier);
  const version = identifier(updates.version);
  const lower = identifier(updates.version.toLowerCase());
  return code`import { agentSessions${version} } from "../runtime/agent/agent-sessions.js";
import type { ${joinCode(used, ", ")} } from "../runtime/agent/agent-session.js";
import { clientSessions${version} } from "../runtime/client/client-sessions.js";
import type { OpeningParams, SessionHandle } from "../runtime/client/client-session.js";
import type { ContinuedSession, ContinueOptions, ContinuingParams } from "../runtime/client/continue-session.js";
import type { SessionTurn } from "../runtime/client/turn.js";
import { STATE_TABLE } from "./internal/state-table.js";
import { Sessions${version} } from "../runtime/session/accumulator.js";
import type { SessionState${version} } from "../runtime/session/${lower}.js";
export type { AgentTerminal } from "../runtime/agent/agent-session.js";
export { diff } from "../runtime/agent/diff-${lower}.js";
export { SessionStore } from "../runtime/agent/session-store.js";
export { audio, image, resource, resourceLink, text, toolText } from "../runtime/session/blocks.js";
export { ALLOW_ALWAYS, ALLOW_ONCE, CANCELLED, REJECT_ALWAYS, REJECT_ONCE, select } from "../runtime/session/permission.js";
`;
}

/** Prints the table by which messages change the state of a session. */
export function printStateTable(protocol: Protocol): Code {
  return code`import type { StateTable } from "../../runtime/session/state-table.js";

export const STATE_TABLE: StateTable = ${literal(stateTable(protocol) as unknown as Json)};
`;
}

/** Prints the types of sessions for both roles, and the state of a client's sessions. */
export function printSessions(protocol: Protocol, moduleOf: ModuleOf): Code {
  const updates = sessionUpdates(protocol);
  if (updates === undefined) return code``;
  const { version, union } = updates;
  const update = code`types.${identifier(union.identifier)}`;
  const received = code`${moduleOf(union.name)}.${identifier(union.identifier)}`;
  const prompt = methodWith(protocol, "starts-turn")!;
  const promptParams = typeOf(prompt.params, code`types`, protocol);
  const response = typeOf(prompt.result!, moduleOf(prompt.result!), protocol);
  const result = version === "V1" ? response : code`Partial<${response}> & IdleIn<${received}>`;
  return code`${docComment("A session, as the agent's handlers use it.")}
export interface AgentSession extends ${joinCode(agentParts(updates, update), ", ")} {}

${toolCallType(updates, update)}${docComment("The context of the agent's handlers of messages about a session.")}
export interface AgentSessionContext extends AgentContext {
${docComment("The session that the params name.")}
readonly session: AgentSession;
readonly sessionId: string;
}

${docComment("The context of the agent's handlers of requests about a session.")}
export interface AgentSessionRequestContext extends AgentSessionContext, RequestContext {}

${docComment("The state of one session, as the result of its updates.")}
export type SessionState = SessionState${identifier(version)}<${received}>;

${docComment("The state of every session of a connection, as the result of its notifications.")}
export class Sessions extends Sessions${identifier(version)}<${received}> {
constructor() {
super(STATE_TABLE);
}
}

${docComment("The work on one prompt: await it for the result, or iterate it for the updates.")}
export type Turn = SessionTurn<${result}, ${received}>;

${docComment("A session, as a client uses it.")}
export interface ClientSession<Response = unknown> extends SessionHandle<${connectedName("agent")}, SessionState, ${promptParams}["prompt"][number], Turn> {
${docComment("The answer that opened the session; undefined when it was opened in another way.")}
readonly response: Response;
}

${docComment("The context of the client's handlers of messages about a session.")}
export interface ClientSessionContext extends ClientContext {
${docComment("The session that the params name. The state of one that was not opened on this connection begins with its first use.")}
readonly session: ClientSession;
readonly sessionId: string;
}

${docComment("The context of the client's handlers of requests about a session.")}
export interface ClientSessionRequestContext extends ClientSessionContext, RequestContext {}

${docComment("The functions of a connection that open sessions.")}
export interface SessionCalls {
${joinCode([...openingCalls(protocol, moduleOf), ...continuingCall(protocol), ...listingCall(protocol, moduleOf)], "\n")}
${docComment("Returns the session with an id. Its state begins with the first use.")}
session(id: string): ClientSession;
}`;
}

/** Prints the type of tool calls; nothing when a session has none. */
function toolCallType(updates: UpdateTypes, update: Code): Code {
  return announcesToolCalls(updates)
    ? code`${docComment("A tool call that the agent has announced.")}
export interface AgentToolCall extends ToolCallOf<${connectedName("client")}, ${update}> {}

`
    : code``;
}

/** Returns whether the agent's session announces tool calls and asks for permission for them. */
function announcesToolCalls({ protocol, version, tags }: UpdateTypes): boolean {
  const asks = methodWith(protocol, "requests-permission") !== undefined;
  return asks && tags.has("tool_call_update") && (version === "V2" || tags.has("tool_call"));
}

/** Returns the parts of the agent's session that the protocol has updates and methods for. */
function agentParts(updates: UpdateTypes, update: Code): Code[] {
  const { protocol, version, tags } = updates;
  const client = connectedName("client");
  const has = (name: string): boolean => protocol.methods.some((method) => method.name === name);
  const plan = version === "V1" ? "plan" : "plan_update";
  const terminal = ["create", "output", "wait_for_exit", "kill", "release"];
  const hasTerminals = version === "V1" && terminal.every((name) => has(`terminal/${name}`));
  const response = identifier(methodWith(protocol, "starts-turn")!.result!);
  return [
    code`SessionUpdates<${client}, ${update}>`,
    ...(tags.has("agent_message_chunk") ? [code`MessageUpdates<${update}>`] : []),
    ...(tags.has("agent_thought_chunk") ? [code`ThoughtUpdates<${update}>`] : []),
    ...(tags.has(plan) ? [code`PlanUpdates<${update}>`] : []),
    ...(announcesToolCalls(updates) ? [code`ToolCalls<${update}, AgentToolCall>`] : []),
    ...(hasTerminals ? [code`ClientTerminals<${client}["terminal"]>`] : []),
    ...(version === "V2" && tags.has("state_update") && tags.has("user_message")
      ? [code`AgentTurns<AgentSession, ${update}, types.${response}>`]
      : []),
  ];
}

const OPENING: readonly (readonly [name: string, trait: MethodTrait, description: string])[] = [
  ["newSession", "creates-session", "Opens a new session."],
  ["loadSession", "loads-session", "Opens a session with its history, which the agent replays."],
  ["resumeSession", "resumes-session", "Opens a session again."],
];

function openingCalls(protocol: Protocol, moduleOf: ModuleOf): Code[] {
  return OPENING.flatMap(([name, trait, description]) => {
    const method = methodWith(protocol, trait);
    if (method?.result === undefined) return [];
    const params = typeOf(method.params, code`types`, protocol);
    const result = typeOf(method.result, moduleOf(method.result), protocol);
    return [
      code`${docComment(description)}
${identifier(name)}(params: OpeningParams<${params}>, options?: CallOptions): Promise<ClientSession<${result}>>;`,
    ];
  });
}

/** Prints the call that continues a session in the best way that the agent has. */
function continuingCall(protocol: Protocol): Code[] {
  const method = methodWith(protocol, "creates-session");
  if (method === undefined) return [];
  const params = typeOf(method.params, code`types`, protocol);
  const doc = `Continues a session: resumes it, else loads it, else opens a new one. With \`history: "replay"\`, loading it is tried first.

Another way is tried when the agent did not advertise one, or refuses it. Other errors are thrown, e.g. that the user has to sign in.`;
  return [
    code`${docComment(doc)}
continueSession(params: ContinuingParams<${params}>, options?: ContinueOptions): Promise<ContinuedSession<ClientSession>>;`,
  ];
}

/** Prints the call that iterates over the sessions of the agent. */
function listingCall(protocol: Protocol, moduleOf: ModuleOf): Code[] {
  const method = methodWith(protocol, "lists-sessions");
  if (method?.result === undefined) return [];
  const params = typeOf(method.params, code`types`, protocol);
  const result = typeOf(method.result, moduleOf(method.result), protocol);
  const doc =
    "Iterates over the sessions of the agent, page by page; with `cwd`, over those of a folder.";
  return [
    code`${docComment(doc)}
listSessions(params?: ${params}, options?: CallOptions): AsyncIterable<${result}["sessions"][number]>;`,
  ];
}

function typeOf(name: string, module: Code, { definitions }: Protocol): Code {
  const { identifier: id } = definitions.find((definition) => definition.name === name)!;
  return code`${module}.${identifier(id)}`;
}
