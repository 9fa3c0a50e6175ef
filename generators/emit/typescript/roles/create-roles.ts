import { gatePathText } from "../../../schema/json-schema/gate-path.js";
import { capabilities } from "../../../model/gates/capabilities.js";
import { methodWith } from "../../../model/method-with.js";
import type { Initialize, InitializeMessage, Protocol } from "../../../model/protocol.js";
import {
  code,
  docComment,
  identifier,
  joinCode,
  literal,
  propertyAccess,
  propertyKey,
  propertyName,
  type Code,
} from "../../../output/code.js";
import { printHandshake, type HandshakeCode } from "./handshake.js";
import { printProxy } from "./proxy.js";
import { hasSessions } from "./session-updates.js";
import { sessionsProperty } from "./sessions.js";
import {
  contextName,
  connectedName,
  requestContextName,
  type ModuleOf,
  type RoleName,
} from "./interfaces.js";

/** Prints `createAgent` and `createClient` with their options, and the table of checks they share. */
export function printRoles(protocol: Protocol, moduleOf: ModuleOf): Code {
  const { initialize } = protocol;
  if (initialize === undefined) {
    const contexts = ROLES.map((role) => contextType(role, code`unknown`, protocol));
    return joinCode([capabilityPaths(protocol), ...contexts], "\n\n");
  }
  const handshake = printHandshake(initialize, moduleOf);
  return joinCode(
    [
      checkTable(protocol),
      capabilitiesTable(initialize),
      capabilityPaths(protocol),
      ...ROLES.map((role) => contextType(role, handshake.handshake, protocol)),
      printRole("agent", initialize.agent, handshake, protocol),
      printRole("client", initialize.client, handshake, protocol),
      printProxy(protocol, handshake),
    ],
    "\n\n",
  );
}

/** Prints the properties of the initialize messages that hold the capabilities. */
function capabilitiesTable({ agent, client }: Initialize): Code {
  return code`const CAPABILITIES = { agent: ${literal(agent.capabilities ?? "")}, client: ${literal(client.capabilities ?? "")} };`;
}

const ROLES: readonly RoleName[] = ["agent", "client"];

/** @param handshake the type of the messages of the handshake */
function contextType(role: RoleName, handshake: Code, protocol: Protocol): Code {
  const other = otherOf(role);
  const session =
    role === "client" && hasSessions(protocol)
      ? code`\n${docComment("The session that the params name, if any.")}\nreadonly session?: ClientSession;`
      : code``;
  return code`${docComment(`The context of the ${role}'s handlers.`)}
export interface ${contextName(role)} extends HandlerContext<${handshake}> {
${docComment(`The ${other}, for calls back.`)}
readonly ${identifier(other)}: ${connectedName(other)};${session}
supports(path: CapabilityPath): boolean;
}

${docComment(`The context of the ${role}'s handlers of requests.`)}
export interface ${requestContextName(role)} extends ${contextName(role)}, RequestContext {}`;
}

/** Prints the union of the capabilities that the sides can advertise. */
function capabilityPaths(protocol: Protocol): Code {
  const paths = new Set(capabilities(protocol).map(({ path }) => gatePathText(path)));
  const known = [...paths].sort().map((path) => literal(path));
  const union = joinCode([...known, code`\`\${string}._meta\${string}\``], " | ");
  return code`${docComment("The capabilities, as paths in the initialize messages. Those of vendors are below `_meta`.")}
export type CapabilityPath = ${union};`;
}

function otherOf(role: RoleName): RoleName {
  return role === "agent" ? "client" : "agent";
}

/** Prints the checks of all definitions that methods refer to. */
function checkTable(protocol: Protocol): Code {
  const names = new Set(
    protocol.methods.flatMap(({ params, result }) => [params, result ?? params]),
  );
  const rows = protocol.definitions
    .filter(({ name }) => names.has(name))
    .map(({ name, identifier: id }) => code`${propertyKey(name)}: checks.${identifier(id)},`);
  return code`const CHECKS: Checks = {
${joinCode(rows, "\n")}
};`;
}

function printRole(
  role: RoleName,
  { definition, options }: InitializeMessage,
  handshake: HandshakeCode,
  protocol: Protocol,
): Code {
  const other = connectedName(otherOf(role));
  const name = identifier(role === "agent" ? "Agent" : "Client");
  const messageType = code`types.${identifier(definition.identifier)}`;
  const optionLines = options.map(
    ({ name: option, field, required, description }) => code`${docComment(description)}
readonly ${propertyName(option)}${required ? code`` : code`?`}: NonNullable<${messageType}[${literal(field.name)}]>;`,
  );
  const advertised = options.map(({ name: option, field }) => {
    const value = code`options${propertyAccess(option)}`;
    return code`...(${value} !== undefined && { ${propertyKey(field.name)}: ${value} }),`;
  });
  const nes = nesOf(role, protocol);
  const version = literal(protocol.versionNumber);
  const retries = protocol.versionNumber > 1 ? code`, RetryOptions` : code``;
  const ofAgent = methodWith(protocol, "starts-turn") ? code`, BusyOptions${retries}` : code``;
  const more = role === "client" ? code`, AuthenticationOptions<${other}>` : ofAgent;
  return code`${docComment(`Options of \`create${name}\`.`)}
export interface ${name}Options extends RoleOptions<${contextName(role)}>${more} {
${joinCode(optionLines, "\n")}
${nes.option}
${docComment("Handlers for the methods. Optional ones advertise their capabilities.")}
readonly handlers: ${name}Handlers;
}

${role === "agent" ? agentType(handshake, version, protocol) : clientType(handshake, version, protocol)}

${docComment(
  `Creates ${role === "agent" ? "an agent" : "a client"}; it can serve any number of connections.\n\n` +
    "The capabilities that follow from handlers are advertised unless the options declare them. Throws an Error when a handler lacks its capability, a capability lacks its handler, or a baseline handler is missing.",
)}
export function create${name}(options: ${name}Options): ${name} {
requireArgument(${literal(`create${name}`)}, options, "an object", ${literal(`create${name}({ info, handlers })`)});
const role = defineRole<${other}, ${contextName(role)}>({
...options,
role: ${literal(role)},
required: ${literal(options.filter(({ required }) => required).map((option) => option.name))},
protocolVersion: ${version},
methods: METHODS,
checks: CHECKS,
capabilities: CAPABILITIES,
advertised: {
${joinCode(advertised, "\n")}
},
${sessionsProperty(role, protocol)}
${nes.fact}
});
return {
protocolVersion: ${version},
connect: ${role === "agent" ? code`(transport) => new RoleSession(role, transport).handle as unknown as AgentConnection` : code`(transport, limits) => connectClient(role, transport, limits) as Promise<unknown> as Promise<ClientConnection>`},${
    role === "client"
      ? code`
open: (transport) => openClient(role, transport) as unknown as OpenedClient,`
      : code``
  }
handle: (message, options) => handleMessage(role, message, options, options?.${identifier(otherOf(role))}),
};
}`;
}

/**
 * Prints the options for next edit suggestions: the position encodings of the agent, and the
 * reduction of the context.
 */
function nesOf(role: RoleName, protocol: Protocol): { readonly option: Code; readonly fact: Code } {
  const suggest = methodWith(protocol, "suggests-edits")?.name;
  if (suggest === undefined) return { option: code``, fact: code`` };
  if (role === "client") {
    return {
      option: code``,
      fact: code`prepare: { ${literal(suggest)}: (params, agent) => cutSuggestion(params, agent, CAPABILITIES.agent) },`,
    };
  }
  return {
    option: code`${docComment("Supported encodings of positions besides `utf-16`; the first one of the client's list is selected.")}
readonly positionEncodings?: readonly PositionEncoding[];`,
    fact: code`adapt: (advertised, client) => declareEncoding(advertised, client, CAPABILITIES, options.positionEncodings ?? []),`,
  };
}

/** Returns whether the protocol has next edit suggestions. */
export function hasNes(protocol: Protocol): boolean {
  return methodWith(protocol, "suggests-edits") !== undefined;
}

const HANDLE =
  "Handles one message without a connection, for programs with their own transport; resolves with the response to send, if any.";

function handleOptions(role: RoleName, handshake: Code): Code {
  const other = otherOf(role);
  return code`${docComment("Options of `handle`.")}
export interface ${identifier(role === "agent" ? "Agent" : "Client")}HandleOptions extends HandleOptions<${handshake}> {
${docComment(`The ${other} that handlers receive. Without it, calls to the ${other} fail.`)}
readonly ${identifier(other)}?: ${connectedName(other)};
}`;
}

function agentType({ handshake }: HandshakeCode, version: Code, protocol: Protocol): Code {
  const session = hasSessions(protocol)
    ? code`\n${docComment("Returns a session, for work outside of handlers. Its signal is aborted when the connection has ended.")}\nsession(id: string): AgentSession;`
    : code``;
  return code`${docComment("A connection from an agent to a client.")}
export interface AgentConnection extends RoleConnection<${handshake}> {
readonly client: ConnectedClient;${session}
}

${handleOptions("agent", handshake)}

${docComment("An agent that can serve clients.")}
export interface Agent {
readonly protocolVersion: ${version};
${docComment("Serves one client; `initialize` is answered automatically.")}
connect(transport: Transport | MessageStream): AgentConnection;
${docComment(HANDLE)}
handle(message: unknown, options?: AgentHandleOptions): Promise<ResponseMessage | undefined>;
}`;
}

function clientType({ handshake }: HandshakeCode, version: Code, protocol: Protocol): Code {
  const calls = hasSessions(protocol) ? code`, SessionCalls` : code``;
  return code`${docComment("A connection from a client to an agent, after the handshake.")}
export interface ClientConnection extends RoleConnection<${handshake}>${calls} {
readonly agent: ConnectedAgent;
readonly handshake: ${handshake};
readonly protocolVersion: ${version};
}

${docComment("A connection from a client to an agent that may not have completed the handshake.")}
export interface OpenedClient extends Omit<ClientConnection, "handshake"> {
${docComment("The messages of the handshake; absent before it is complete.")}
readonly handshake: ${handshake} | undefined;
${docComment(
  "Sends `initialize`; must be called before every other method. Rejects with ProtocolVersionError and closes the connection when the agent speaks another version.",
)}
initialize(options?: CallOptions): Promise<ClientConnection>;
}

${handleOptions("client", handshake)}

${docComment("A client that can connect to agents.")}
export interface Client {
readonly protocolVersion: ${version};
${docComment("Connects to one agent and completes the handshake. Rejects and closes the connection when it fails, is aborted or takes too long.")}
connect(transport: Transport | MessageStream, options?: ConnectOptions): Promise<ClientConnection>;
${docComment("Connects to one agent without the handshake.")}
open(transport: Transport | MessageStream): OpenedClient;
${docComment(HANDLE)}
handle(message: unknown, options?: ClientHandleOptions): Promise<ResponseMessage | undefined>;
}`;
}
