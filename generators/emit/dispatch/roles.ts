import type { Definition, Protocol } from "../../model/protocol.js";
import type { Field } from "../../model/shape.js";
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
} from "../../output/code.js";
import { peerName, type ModuleOf, type Role } from "./interfaces.js";

/** What a role's author gives for its initialize message, by option name. */
interface Option {
  readonly name: string;
  readonly field: Field;
}

/** Prints `createAgent` or `createClient` with their options, and the table of checks they share. */
export function printRoles(protocol: Protocol, moduleOf: ModuleOf): Code {
  const initialize = protocol.methods.find(
    ({ name, side }) => name === "initialize" && side === "agent",
  );
  if (initialize?.result === undefined) return code``;
  const find = (name: string): Definition =>
    protocol.definitions.find((definition) => definition.name === name)!;
  const responseType = code`${moduleOf(initialize.result)}.${identifier(find(initialize.result).identifier)}`;
  return joinCode(
    [
      checkTable(protocol),
      printRole("agent", find(initialize.result), responseType, protocol),
      printRole("client", find(initialize.params), responseType, protocol),
    ],
    "\n\n",
  );
}

/** The checks of everything that methods carry. */
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

function printRole(role: Role, message: Definition, response: Code, protocol: Protocol): Code {
  const other = peerName(role === "agent" ? "client" : "agent");
  const name = identifier(role === "agent" ? "Agent" : "Client");
  const options = initializeOptions(message);
  const messageType = code`types.${identifier(message.identifier)}`;
  const optionLines = options.map(
    ({ name: option, field }) => code`${docComment(field.description)}
readonly ${propertyName(option)}${option === "info" || field.required ? code`` : code`?`}: NonNullable<${messageType}[${literal(field.name)}]>;`,
  );
  const advertised = options.map(({ name: option, field }) => {
    const value = code`options${propertyAccess(option)}`;
    return code`...(${value} !== undefined && { ${propertyKey(field.name)}: ${value} }),`;
  });
  return code`${docComment(`What it takes to make ${role === "agent" ? "an agent" : "a client"}.`)}
export interface ${name}Options extends RoleOptions<${other}> {
${joinCode(optionLines, "\n")}
${docComment("The methods it handles. Optional ones must match the capabilities.")}
readonly handlers: ${name}Handlers;
}

${role === "agent" ? agentType(name, other) : clientType(name, other, response)}

${docComment(
  `Makes ${role === "agent" ? "an agent" : "a client"}; it can serve any number of connections.\n\n` +
    "Throws an Error when a handler lacks its capability, a capability lacks its handler, or a baseline handler is missing.",
)}
export function create${name}(options: ${name}Options): ${name} {
const definition = defineRole<${other}>({
...options,
role: ${literal(role)},
protocolVersion: ${literal(protocol.versionNumber)},
methods: METHODS,
checks: CHECKS,
advertised: {
${joinCode(advertised, "\n")}
},
});
return {
connect: (transport) => {
const session = new RoleSession(definition, transport);
return {
peer: session.peer,
closed: session.connection.closed,
close: () => session.connection.close(),
${role === "client" ? code`initialize: () => session.initialize() as Promise<${response}>,` : code``}
};
},
};
}`;
}

function agentType(name: Code, other: Code): Code {
  return code`${docComment("An agent, ready to serve clients.")}
export interface ${name} {
${docComment("Serves one client; it answers `initialize` by itself.")}
connect(transport: Channel | MessageStream): RoleConnection<${other}>;
}`;
}

function clientType(name: Code, other: Code, response: Code): Code {
  return code`${docComment("A connection from a client to an agent.")}
export interface ${name}Connection extends RoleConnection<${other}> {
${docComment(
  "Says hello; comes before everything else. Rejects with ProtocolVersionError when the agent speaks another version, and closes the connection then.",
)}
initialize(): Promise<${response}>;
}

${docComment("A client, ready to talk to agents.")}
export interface ${name} {
${docComment("Connects to one agent.")}
connect(transport: Channel | MessageStream): ${name}Connection;
}`;
}

/** The fields of an initialize message that its sender chooses, under names both roles share. */
function initializeOptions(message: Definition): Option[] {
  const fields = message.shape.kind === "object" ? message.shape.fields : [];
  return fields
    .filter(({ name }) => name !== "protocolVersion" && name !== "_meta")
    .map((field) => ({ name: optionName(field.name), field }));
}

/** `agentInfo` and `clientInfo` are `info`; capabilities likewise. */
function optionName(field: string): string {
  if (/info$/i.test(field)) return "info";
  return /capabilities$/i.test(field) ? "capabilities" : field;
}
