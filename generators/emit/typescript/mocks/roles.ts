import { ownFields } from "../../../model/map-shape.js";
import type {
  InitializeMessage,
  InitializeOption,
  Method,
  Protocol,
} from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";
import type { Samples } from "../../../model/sample/sample.js";
import {
  code,
  docComment,
  identifier,
  joinCode,
  literal,
  propertyAccess,
  propertyKey,
  type Code,
} from "../../../output/code.js";
import { isObject } from "../../../schema/json-schema/json.js";

type Role = "agent" | "client";

interface Context {
  readonly samples: Samples;
  /** The table of updates that a mock agent streams. */
  readonly updates: Code;
}

/**
 * Prints the mock agent, the mock client and the function that connects them with a tested role.
 *
 * @returns undefined for a protocol without a handshake
 */
export function printRoles(
  protocol: Protocol,
  context: Context,
): { readonly imports: Code; readonly text: Code } | undefined {
  const { initialize } = protocol;
  if (initialize === undefined) return undefined;
  const permission = permissionOptions(protocol);
  const scripts = userScripts(protocol, permission);
  const calls = [printCalls("agent", protocol), printCalls("client", protocol)];
  return {
    imports: printImports(protocol, scripts.length > 0),
    text: joinCode(
      [
        ...calls,
        ...(scripts.length === 0 ? [] : [printUser(scripts)]),
        printMock("agent", initialize.agent, context),
        printMock("client", initialize.client, context, {
          hasUser: scripts.length > 0,
          permissionKinds: permission?.kinds,
        }),
        CONNECT,
      ],
      "\n\n",
    ),
  };
}

function printImports(protocol: Protocol, hasUser: boolean): Code {
  const received = receivedMethods(protocol).some(({ params }) => protocol.received.has(params));
  return joinCode(
    [
      ...(received ? [code`import type * as received from "./received.js";`] : []),
      code`import { requireArgument } from "../runtime/rpc/require-argument.js";`,
      code`import { connectInMemory, type MockConnection } from "../runtime/mocks/connect-mock.js";`,
      code`import { createMock, type MockCall, type Overrides, type Received } from "../runtime/mocks/mocks.js";`,
      ...(hasUser
        ? [
            code`import type { ElicitationAnswer, PermissionAnswer, Script } from "../runtime/mocks/mock-user.js";`,
          ]
        : []),
      code`import { createAgent, createClient, type Agent, type AgentConnection, type AgentHandlers, type AgentOptions, type Client, type ClientConnection, type ClientHandlers, type ClientOptions } from "./roles.js";`,
      code`import { METHODS } from "./methods.js";`,
    ],
    "\n",
  );
}

/** Returns the methods that mocks record. */
function receivedMethods({ methods }: Protocol): readonly Method[] {
  return methods.filter(
    ({ side, name }) => (side === "agent" || side === "client") && name !== "initialize",
  );
}

/** Prints the union of the calls that a role receives, by method. */
function printCalls(role: Role, protocol: Protocol): Code {
  const calls = receivedMethods(protocol)
    .filter(({ side }) => side === role)
    .map(
      ({ name, params }) =>
        code`{ readonly method: ${literal(name)}; readonly params: ${paramsType(params, protocol)} }`,
    );
  return code`${docComment(`A message that a mock ${role} has received.`)}
export type ${nameOf(role)}Call = ${calls.length === 0 ? code`never` : joinCode(calls, " | ")};`;
}

/** Returns the type of params as the handling side receives them. */
function paramsType(name: string, { definitions, received }: Protocol): Code {
  const definition = definitions.find((candidate) => candidate.name === name)!;
  const module = received.has(name) ? code`received` : code`types`;
  return code`${module}.${identifier(definition.identifier)}`;
}

/** Returns a request that the client handles. */
function clientRequest(wanted: string, { methods }: Protocol): Method | undefined {
  return methods.find(
    ({ name, side, kind }) => name === wanted && side === "client" && kind === "request",
  );
}

/** Returns the properties of a scripted user: those whose method the protocol has. */
function userScripts(
  protocol: Protocol,
  permission: PermissionOptions | undefined,
): readonly Code[] {
  const elicitation = clientRequest("elicitation/create", protocol);
  const scripts: Code[] = [];
  if (permission !== undefined) {
    const id = definitionOf(permission.params, protocol)!.identifier;
    scripts.push(code`${docComment(
      "The answers to permission requests: the option of a kind or with an id, or `cancelled`. By default, the first option that allows the call, or `cancelled` when there is none.",
    )}
readonly permission?: Script<PermissionAnswer<Extract<types.${identifier(id)}["options"][number]["kind"], string>>, ${paramsType(permission.params, protocol)}>;`);
  }
  if (elicitation !== undefined) {
    scripts.push(code`${docComment(
      "The answers to elicitations; an object is the content of a form that the user accepts. `decline` by default. The capability must be advertised.",
    )}
readonly elicitation?: Script<ElicitationAnswer, ${paramsType(elicitation.params, protocol)}>;`);
  }
  return scripts;
}

function definitionOf(
  name: string,
  { definitions }: Protocol,
): Protocol["definitions"][number] | undefined {
  return definitions.find((definition) => definition.name === name);
}

/** The options of permission requests. */
interface PermissionOptions {
  /** The definition of the params. */
  readonly params: string;
  readonly kinds: readonly string[];
}

/** Returns the options of permission requests; undefined when they do not have a kind. */
function permissionOptions(protocol: Protocol): PermissionOptions | undefined {
  const params = clientRequest("session/request_permission", protocol)?.params;
  if (params === undefined) return undefined;
  const resolve = (shape: Shape): Shape | undefined =>
    shape.kind === "reference" ? definitionOf(shape.name, protocol)?.shape : shape;
  const shape = definitionOf(params, protocol)?.shape;
  const options = shape && ownFields(shape).find(({ name }) => name === "options");
  if (options?.required !== true || options.nullable || options.shape.kind !== "list")
    return undefined;
  const option = resolve(options.shape.items.shape);
  const kind = option && ownFields(option).find(({ name }) => name === "kind");
  if (kind?.required !== true || kind.nullable) return undefined;
  const values = resolve(kind.shape);
  return {
    params,
    kinds: values?.kind === "enum" ? values.values.map(({ value }) => String(value)) : [],
  };
}

function printUser(scripts: readonly Code[]): Code {
  return code`${docComment("The user of a mock client: one answer to every request, a list with an answer to each request in order, or a function.")}
export interface MockUser {
${joinCode(scripts, "\n")}
}`;
}

/** The parts of a mock that are about its user. */
interface UserFacts {
  readonly hasUser?: boolean;
  readonly permissionKinds?: readonly string[] | undefined;
}

/** Prints `createMockAgent` or `createMockClient`, its options and its type. */
function printMock(
  role: Role,
  { definition, options }: InitializeMessage,
  { samples, updates }: Context,
  { hasUser = false, permissionKinds }: UserFacts = {},
): Code {
  const name = nameOf(role);
  const typical = samples.typical(definition.name);
  const isNamed = (field: string): boolean => isObject(typical) && Object.hasOwn(typical, field);
  const isInfo = ({ name: option }: InitializeOption): boolean => option === "info";
  const rows = options.map((option) => {
    const { name: key, field } = option;
    // All capabilities are advertised, but the name is taken from the example.
    const table = isInfo(option) && isNamed(field.name) ? code`SAMPLES` : code`FULL_SAMPLES`;
    const value = code`${table}${propertyAccess(definition.name)}${propertyAccess(field.name)}!`;
    return { option, row: code`${propertyKey(key)}: ${value},` };
  });
  const rowsOf = (wanted: boolean): Code =>
    joinCode(
      rows.filter(({ option }) => isInfo(option) === wanted).map(({ row }) => row),
      "\n",
    );
  const fields = options.map(
    ({ name: option, field }) => code`${propertyKey(option)}: ${literal(field.name)},`,
  );
  const canAdvertise = options.some(({ name: option }) => option === "capabilities");
  const own = canAdvertise ? code` | ${name}Options["capabilities"]` : code``;
  const isAgent = role === "agent";
  const bare = isAgent ? " With `none`, it can create sessions and answer prompts." : "";
  const prompt = isAgent
    ? " A prompt makes it stream one update of every variant that the client supports."
    : "";
  const article = isAgent ? "an agent" : "a client";
  const kinds =
    permissionKinds === undefined
      ? code``
      : code`
permissionKinds: [${joinCode(permissionKinds.map(literal), ", ")}],`;
  return code`${docComment(`Options of a mock ${role}, besides those of \`create${name}\`.`)}
export interface Mock${name}Options extends Partial<Omit<${name}Options, "capabilities" | "handlers">> {
${docComment(`The capabilities that the mock advertises: \`none\` (the default), \`all\`, or these.${bare}`)}
readonly capabilities?: "none" | "all"${own};
${docComment("Replace handlers. A handler advertises its capability.")}
readonly handlers?: Overrides<${name}Handlers>;
${hasUser ? code`${docComment("The answers of the user.")}\nreadonly user?: MockUser;` : code``}
}

${docComment(`A mock ${role}, and the messages that it has received.`)}
export interface Mock${name} extends ${name}, Received<${name}Call> {}

${docComment(`Creates ${article} that answers every request with a sample and records what it receives.${prompt}`)}
export function createMock${name}(options?: Mock${name}Options): Mock${name} {
const mock = createMock<${name}Options, ${name}Call>({
role: ${literal(role)},
methods: METHODS,
samples: SAMPLES,
updates: ${isAgent ? updates : code`{}`},
fields: {
${joinCode(fields, "\n")}
},
options: {
${rowsOf(true)}
},
all: {
${rowsOf(false)}
},${kinds}
}, options);
return { ...create${name}(mock.options), ...mock.received };
}`;
}

function nameOf(role: Role): Code {
  return identifier(role === "agent" ? "Agent" : "Client");
}

const CONNECT = code`${docComment(
  "Connects the agent or the client under test to a mock of the other side in memory, and completes the handshake. The result has both sides of the connection and the messages that the mock has received.",
)}
export function connectMocks<Tested extends Agent | Client>(
tested: Tested,
options?: Tested extends Client ? MockAgentOptions : MockClientOptions,
): Promise<MockConnection<AgentConnection, ClientConnection, Tested extends Client ? AgentCall : ClientCall>>;
export async function connectMocks(
tested: Agent | Client,
options?: MockAgentOptions | MockClientOptions,
): Promise<MockConnection<AgentConnection, ClientConnection, MockCall>> {
requireArgument("connectMocks", tested, "an object", "connectMocks(createAgent({ info, handlers }))");
if ("open" in tested) {
const agent = createMockAgent(options as MockAgentOptions);
return connectInMemory(agent, tested, agent);
}
const client = createMockClient(options as MockClientOptions);
return connectInMemory(tested, client, client);
}

export type { MockCall, MockConnection, Overrides, Received };
`;
