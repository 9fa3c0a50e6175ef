import { fieldsOf } from "../model/map-shape.js";
import type { Definition, InitializeMessage, Protocol } from "../model/protocol.js";
import { createSamples, type Samples } from "../model/sample/sample.js";
import type { Shape, TaggedShape } from "../model/shape.js";
import { visitShape } from "../model/visit-shape.js";
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
} from "../output/code.js";
import { outputPath } from "../output/file.js";
import { isObject, type Json } from "../schema/json-schema/json.js";
import type { Emitter } from "./emitter.js";

/** Samples of messages, and a mock agent and a mock client that answer with them. */
export const mocks: Emitter = {
  name: "mocks",
  summary: "sample values and mocks for tests: an agent and a client that answer every method",
  requires: ["types", "schemas", "roles", "runtime"],
  emit: (protocol) => [
    {
      path: outputPath("typescript", "src", protocol.profile, "mocks.ts"),
      text: printMocks(protocol),
      language: "typescript",
    },
  ],
};

function printMocks(protocol: Protocol): Code {
  const samples = createSamples(protocol);
  const { initialize } = protocol;
  const union = updateUnion(protocol);
  const tables = [
    TYPES,
    printSamples(protocol, samples),
    ...(union === undefined ? [] : [printUpdates(union, samples)]),
  ];
  if (initialize === undefined) return joinCode(tables, "\n\n");
  const updates = union === undefined ? code`{}` : code`UPDATES`;
  const context = { samples, updates };
  return joinCode(
    [
      IMPORTS,
      ...tables,
      printMock("agent", initialize.agent, context),
      printMock("client", initialize.client, context),
      CONNECT,
    ],
    "\n\n",
  );
}

const TYPES = code`import type * as types from "./types.js";`;

const IMPORTS = code`import { memoryTransports } from "../runtime/rpc/transport.js";
import { mockHandlers, type MockCall, type Overrides } from "../runtime/mocks/mocks.js";
import { createAgent, createClient, type Agent, type AgentConnection, type AgentHandlers, type AgentOptions, type Client, type ClientConnection, type ClientHandlers, type ClientOptions } from "./roles.js";
import { METHODS } from "./methods.js";`;

/** Prints the samples of messages, typed by definition. */
function printSamples(protocol: Protocol, samples: Samples): Code {
  const names = new Set(
    protocol.methods.flatMap(({ params, result }) => [params, result ?? params]),
  );
  const carried = protocol.definitions.filter(({ name }) => names.has(name));
  const rows = (valueOf: (name: string) => Json): Code =>
    joinCode(
      carried.map(({ name }) => code`${propertyKey(name)}: ${literal(valueOf(name))},`),
      "\n",
    );
  // Every literal inherits properties such as `toString`, whose types differ from declared ones.
  const type = protocol.definitions.some(({ shape }) => hidesInherited(shape))
    ? code` as unknown as Samples`
    : code``;
  return code`${docComment("One value for the params and the result of every method.")}
export interface Samples {
${joinCode(
  carried.map(
    ({ name, identifier: id }) => code`readonly ${propertyName(name)}: types.${identifier(id)};`,
  ),
  "\n",
)}
}

${docComment("The protocol's examples; where there is none, a value with only the required properties.")}
export const SAMPLES: Samples = {
${rows(samples.typical)}
}${type};

${docComment("Values with every optional property except `_meta`; lists contain an item of every kind.")}
export const FULL_SAMPLES: Samples = {
${rows(samples.full)}
}${type};`;
}

/** Returns whether a shape has a property with the name of an inherited one. */
function hidesInherited(shape: Shape): boolean {
  let hides = false;
  visitShape(shape, { field: ({ name }) => (hides ||= name in {}) });
  return hides;
}

/** The definition of session updates. */
interface UpdateUnion {
  readonly definition: Definition;
  readonly shape: TaggedShape;
}

/** Prints one update of every variant, with the type of the variant. */
function printUpdates({ definition, shape }: UpdateUnion, samples: Samples): Code {
  const values = [...samples.variants(definition.name)];
  const type = (variant: string): Code =>
    code`Extract<types.${identifier(definition.identifier)}, { readonly ${propertyName(shape.tag)}: ${literal(variant)} }>`;
  return code`${docComment("One session update of every variant, by its tag.")}
export interface Updates {
${joinCode(
  values.map(([variant]) => code`readonly ${propertyName(variant)}: ${type(variant)};`),
  "\n",
)}
}

${docComment("The updates that a mock agent streams during a prompt.")}
export const UPDATES: Updates = {
${joinCode(
  values.map(([variant, value]) => code`${propertyKey(variant)}: ${literal(value)},`),
  "\n",
)}
};`;
}

/** Returns the union in the params of `session/update`. */
function updateUnion({ definitions, methods }: Protocol): UpdateUnion | undefined {
  const find = (name: string | undefined): Definition | undefined =>
    definitions.find((definition) => definition.name === name);
  const method = methods.find(({ name, side }) => name === "session/update" && side === "client");
  const params = find(method?.params);
  const field = params && fieldsOf(params.shape).find(({ name }) => name === "update");
  const definition = field?.shape.kind === "reference" ? find(field.shape.name) : undefined;
  return definition?.shape.kind === "tagged" ? { definition, shape: definition.shape } : undefined;
}

interface Context {
  readonly samples: Samples;
  /** The table of updates that a mock agent streams. */
  readonly updates: Code;
}

/** Prints `createMockAgent` or `createMockClient`. */
function printMock(
  role: "agent" | "client",
  { definition, options }: InitializeMessage,
  { samples, updates }: Context,
): Code {
  const name = identifier(role === "agent" ? "Agent" : "Client");
  const message = definition.name;
  const typical = samples.typical(message);
  const given = options.map(({ name: option, field }) => {
    // All capabilities are advertised, but the name is taken from the example.
    const isNamed = option === "info" && isObject(typical) && Object.hasOwn(typical, field.name);
    const table = isNamed ? code`SAMPLES` : code`FULL_SAMPLES`;
    return code`${propertyKey(option)}: ${table}${propertyAccess(message)}${propertyAccess(field.name)}!,`;
  });
  const advertised = options.map(
    ({ name: option, field }) => code`${propertyKey(field.name)}: given${propertyAccess(option)},`,
  );
  return code`${docComment(`${role === "agent" ? "An agent" : "A client"} for tests.`)}
export interface ${identifier(`Mock${name}`)} extends ${name} {
${docComment("The received messages, in order, except `initialize`.")}
readonly calls: readonly MockCall[];
}

${docComment(
  `Creates ${role === "agent" ? "an agent" : "a client"} that advertises everything, answers every request with a sample and records what it receives.` +
    (role === "agent" ? " A prompt makes it stream one update of every variant." : ""),
)}
export function ${identifier(`createMock${name}`)}(
overrides: Overrides<${name}Handlers> = {},
options: Partial<Omit<${name}Options, "handlers">> = {},
): ${identifier(`Mock${name}`)} {
const given = {
${joinCode(given, "\n")}
...options,
};
const { handlers, calls } = mockHandlers<${name}Handlers>({
role: ${literal(role)},
methods: METHODS,
samples: SAMPLES,
updates: ${updates},
advertised: {
${joinCode(advertised, "\n")}
},
}, overrides);
return Object.assign(create${name}({ ...given, handlers }), { calls });
}`;
}

const CONNECT = code`${docComment(
  "Connects an agent and a client in memory and completes the handshake; mocks are the defaults for both.",
)}
export async function connectMocks(
agent: Agent = createMockAgent(),
client: Client = createMockClient(),
): Promise<{ readonly agent: AgentConnection; readonly client: ClientConnection }> {
const [near, far] = memoryTransports();
const served = agent.connect(far);
return { agent: served, client: await client.connect(near) };
}

export type { MockCall, Overrides };
`;
