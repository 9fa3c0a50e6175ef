import type {
  InterfaceDeclarationStructure,
  OptionalKind,
  PropertySignatureStructure,
} from "ts-morph";
import { groupName } from "../../../model/identifiers.js";
import { isAbsentWithoutCapability } from "../../../model/gates/absent-method.js";
import { gateText } from "../../../model/gates/gate-text.js";
import type { Definition, Method, Protocol } from "../../../model/protocol.js";
import {
  code,
  docComment,
  docTag,
  identifier,
  literal,
  propertyName,
  type Code,
} from "../../../output/code.js";
import { methodVariants } from "./variants.js";
import { concernsSession, hasSessions } from "./session-updates.js";

/** A role implements handlers; the other side calls them through `Connected<Role>`. */
export type RoleName = "agent" | "client";

type Interface = OptionalKind<InterfaceDeclarationStructure>;

/** Returns the module with the type of received values, which include unknown variants. */
export type ModuleOf = (definition: string) => Code;

interface Context {
  readonly protocol: Protocol;
  readonly moduleOf: ModuleOf;
}

/**
 * Returns the interfaces of a role: its handlers, and the functions through which the other side calls
 * it. Both are nested like the methods' names: `session/set_mode` is `session.setMode`.
 */
export function roleInterfaces(
  role: RoleName,
  protocol: Protocol,
  moduleOf: ModuleOf,
): Interface[] {
  const methods = protocol.methods.filter(
    ({ side, name }) => side === role && name !== protocol.initialize?.method.name,
  );
  const context = { protocol, moduleOf };
  return [
    ...nested(role, "Handlers", methods, context),
    ...nested(role, "Connected", methods, context),
    ...byName(role, methods, context),
  ];
}

/** Returns the types of the messages that a role handles, by method name. */
function byName(role: RoleName, methods: readonly Method[], context: Context): Interface[] {
  const of = (kind: Method["kind"]): Method[] => methods.filter((method) => method.kind === kind);
  const property = (method: Method): OptionalKind<PropertySignatureStructure> => ({
    name: propertyName(method.name),
    isReadonly: true,
    type:
      method.result === undefined
        ? sent(method.params, context)
        : code`{ readonly params: ${sent(method.params, context)}; readonly result: ${received(method.result, context)} }`,
  });
  return [
    {
      isExported: true,
      name: `${pascal(role)}Requests`,
      leadingTrivia: `${docComment(`Params and result of every request that the ${role} handles.`)}\n`,
      properties: of("request").map(property),
    },
    {
      isExported: true,
      name: `${pascal(role)}Notifications`,
      leadingTrivia: `${docComment(`Params of every notification that the ${role} handles.`)}\n`,
      properties: of("notification").map(property),
    },
  ];
}

/** Returns the name of the type through which the other side calls a role. */
export function connectedName(role: RoleName): Code {
  return identifier(`Connected${pascal(role)}`);
}

/** Returns the name of the context type of a role's handlers. */
export function contextName(role: RoleName): Code {
  return identifier(`${pascal(role)}Context`);
}

/** Returns the name of the context type of a role's handlers of requests. */
export function requestContextName(role: RoleName): Code {
  return identifier(`${pascal(role)}RequestContext`);
}

/** The handlers of a role, or the functions through which the other side calls it. */
type Purpose = "Handlers" | "Connected";

/**
 * @param groups the groups that contain the methods, from the outermost
 */
function nested(
  role: RoleName,
  purpose: Purpose,
  methods: readonly Method[],
  context: Context,
  groups: readonly string[] = [],
): Interface[] {
  const members = new Map<string, Method[]>();
  const direct: Method[] = [];
  for (const method of methods) {
    const [group, ...rest] = method.handler.slice(groups.length);
    if (rest.length === 0) direct.push(method);
    else members.set(group!, [...(members.get(group!) ?? []), method]);
  }
  const isRoot = groups.length === 0;
  const description =
    purpose === "Handlers"
      ? `Handlers of the ${role}.`
      : `The ${role}, as the other side calls it.`;
  const ofGroup = isRoot ? "" : ` Methods of the group \`${groups.join(".")}\`.`;
  return [
    ...[...members].flatMap(([group, list]) =>
      nested(role, purpose, list, context, [...groups, group]),
    ),
    {
      isExported: true,
      name: interfaceName(role, purpose, groups),
      leadingTrivia: `${docComment(`${description}${ofGroup}`)}\n`,
      ...(purpose === "Connected" &&
        isRoot && {
          extends: [
            code`NamedCalls<${identifier(`${pascal(role)}Requests`)}, ${identifier(`${pascal(role)}Notifications`)}>`,
          ],
        }),
      properties: [
        ...direct.map((method) => callProperty(method, purpose, context)),
        ...[...members].map(([group, list]) => ({
          name: propertyName(group),
          isReadonly: true,
          hasQuestionToken: purpose === "Handlers" && list.every(isOptional),
          type: identifier(interfaceName(role, purpose, [...groups, group])),
        })),
      ],
    },
  ];
}

/** Returns e.g. `AgentSessionHandlers` or `ConnectedAgentSession`. */
function interfaceName(role: RoleName, purpose: Purpose, groups: readonly string[]): string {
  const name = `${pascal(role)}${groupName(groups)}`;
  return purpose === "Handlers" ? `${name}Handlers` : `Connected${name}`;
}

/** Returns a property, not a method: a method named `new` would be a construct signature. */
function callProperty(
  method: Method,
  purpose: Purpose,
  context: Context,
): OptionalKind<PropertySignatureStructure> {
  const handles = purpose === "Handlers";
  return {
    name: propertyName(method.handler.at(-1)!),
    isReadonly: true,
    hasQuestionToken: handles ? isOptional(method) : isAbsentWithoutCapability(method),
    leadingTrivia: `${docComment(describe(method, context.protocol))}\n`,
    type: handles ? handlerType(method, context) : callType(method, context),
  };
}

function handlerType(method: Method, context: Context): Code {
  const given = contextOf(method, context.protocol);
  const result = method.result === undefined ? code`void` : resultType(method.result, context);
  const handler = code`(params: ${received(method.params, context)}, context: ${given}) => Awaitable<${result}>`;
  const variants = methodVariants(method, context.protocol);
  if (variants === undefined) return handler;
  const union = received(variants.union.name, context);
  return code`(${handler}) | VariantHandlers<${union}, ${literal(variants.tag)}, ${given}>`;
}

/** Returns the name of the context type of a method's handler. */
function contextOf(method: Method, protocol: Protocol): Code {
  const role = method.side as RoleName;
  const isRequest = method.kind === "request";
  if (hasSessions(protocol) && concernsSession(method, protocol))
    return identifier(`${pascal(role)}Session${isRequest ? "Request" : ""}Context`);
  return isRequest ? requestContextName(role) : contextName(role);
}

/** Returns the type of a handler's result. One without required members may be omitted: `{}` is sent. */
function resultType(name: string, context: Context): Code {
  const { shape } = definitionOf(name, context.protocol);
  const isOptional = shape.kind === "object" && !shape.fields.some(({ required }) => required);
  return isOptional ? code`${sent(name, context)} | void` : sent(name, context);
}

function callType(method: Method, context: Context): Code {
  const params = sent(method.params, context);
  if (method.result === undefined) return code`(params: ${params}) => Promise<void>`;
  return code`(params: ${params}, options?: CallOptions) => Promise<${received(method.result, context)}>`;
}

function sent(name: string, context: Context): Code {
  return code`types.${typeName(name, context)}`;
}

function received(name: string, context: Context): Code {
  return code`${context.moduleOf(name)}.${typeName(name, context)}`;
}

function typeName(name: string, { protocol }: Context): Code {
  return identifier(definitionOf(name, protocol).identifier);
}

function definitionOf(name: string, { definitions }: Protocol): Definition {
  return definitions.find((candidate) => candidate.name === name)!;
}

/**
 * Returns whether a handler may be omitted. Required are requests that every implementation
 * handles: a notification is not answered, and the runtime has the effects that do not depend on a handler.
 */
function isOptional({ kind, gate }: Method): boolean {
  return !(kind === "request" && gate?.kind === "always" && gate.reason === "baseline");
}

function describe(method: Method, protocol: Protocol): string {
  const feature = protocol.features.find(({ name }) => name === method.feature);
  const text = feature && `Feature: ${feature.title} (${feature.status}).`;
  const status = feature?.status === "vendor" ? text : text && docTag("experimental", text);
  return [`\`${method.name}\`: ${method.summary}`, gateText(method.gate), status ?? ""]
    .filter((text) => text !== "")
    .join("\n\n");
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
