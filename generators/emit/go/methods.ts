import { gateText } from "../../model/gates/gate-text.js";
import { methodRows, type MethodRow } from "../../model/gates/method-rows.js";
import { methodTable } from "../../model/gates/method-table.js";
import type { Initialize, Method, Protocol } from "../../model/protocol.js";
import { comment, go, identifier, indent, joinGo, literal, rawLiteral, type Go } from "./code.js";
import { isInterface, resolve, typeName, type GoContext } from "./context.js";

/** A side, as the code for it is named. */
interface Role {
  readonly side: "agent" | "client";
  readonly name: Go;
  readonly call: Go;
  /** The other side as this one calls it, and the variable for it. */
  readonly peer: Go;
  readonly receiver: Go;
}

const ROLES: readonly Role[] = [
  {
    side: "agent",
    name: go`Agent`,
    call: go`AgentCall`,
    peer: go`ConnectedClient`,
    receiver: go`c`,
  },
  {
    side: "client",
    name: go`Client`,
    call: go`ClientCall`,
    peer: go`ConnectedAgent`,
    receiver: go`a`,
  },
];

/** Prints the interfaces of handlers, the functions that make roles, and the calls of both sides. */
export function printMethods(context: GoContext, protocol: Protocol, initialize: Initialize): Go {
  const rows = methodRows(protocol).filter(({ method }) => method.name !== "initialize");
  const handled = (side: string): MethodRow[] => rows.filter(({ method }) => method.side === side);
  return joinGo(
    ROLES.flatMap((role, index) => [
      printHandlers(role, handled(role.side), context),
      printConstructor(role, handled(role.side), initialize, context),
      printHandshake(role, initialize[ROLES[1 - index]!.side].definition.name, context),
      ...handled(ROLES[1 - index]!.side).map(({ method }) => printCall(role, method, context)),
    ]),
    "\n",
  );
}

/** Prints the version and the methods as JSON, a method on each line. */
export function printMethodTable(protocol: Protocol): Go {
  const { version, methods } = methodTable(protocol);
  const rows = methods.map((row) => JSON.stringify(row)).join(",\n");
  const table = rawLiteral(`{"version":${version},"methods":[\n${rows}\n]}`);
  return go`// methodTable has all methods, with what they need.\nconst methodTable = ${table}\n`;
}

/** Returns the type of a message: a pointer to an object, or another type. */
export function messageType(definition: string, context: GoContext): Go {
  const part = resolve(definition, context);
  const name = typeName(definition, context);
  return part.kind === "record" && !isInterface(part) ? go`*${name}` : name;
}

function schemaName(definition: string, context: GoContext): Go {
  return go`schema${identifier(context.names.typeOf(definition))}`;
}

/** Prints the signature of a method behind its name. */
export function signature(method: Method, before: Go, context: GoContext): Go {
  const { params, result } = method;
  const returned = result === undefined ? go`error` : go`(${messageType(result, context)}, error)`;
  return go`(ctx context.Context, ${before}params ${messageType(params, context)}) ${returned}`;
}

function printHandlers(role: Role, rows: readonly MethodRow[], context: GoContext): Go {
  const line = ({ method }: MethodRow): Go => {
    const name = identifier(context.names.handlerOf(method));
    return go`${docOf(method, context)}${name}${signature(method, go`call *${role.call}, `, context)}\n`;
  };
  const required = rows.filter(({ isRequired }) => isRequired);
  const others = rows.filter(({ isRequired }) => !isRequired);
  const links = others.map(
    ({ method }) => go`[${identifier(context.names.handlerTypeOf(method))}]`,
  );
  const doc = comment(
    `${role.name}Handler is what every ${role.side} handles. Its handler may also implement ${joinGo(links, ", ")}.`,
  );
  const body =
    required.length === 0 ? go`any` : go`interface {\n${indent(joinGo(required.map(line), "\n"))}}`;
  const own = others.map((row) => {
    const name = identifier(context.names.handlerTypeOf(row.method));
    const text = comment(`${name} handles ${row.method.name}.`);
    return go`${text}type ${name} interface {\n${indent(line(row))}}\n`;
  });
  return joinGo([go`${doc}type ${role.name}Handler ${body}\n`, ...own], "\n");
}

function printConstructor(
  role: Role,
  rows: readonly MethodRow[],
  initialize: Initialize,
  context: GoContext,
): Go {
  const { definition, options } = initialize[role.side];
  const info = options.find(({ name }) => name === "info")?.field.name ?? "";
  const { params, result } = initialize.method;
  const hello = messageType(definition.name, context);
  const doc = comment(
    `New${role.name} returns ${role.side === "agent" ? "an agent" : "a client"} with its handlers. The message names the ${role.side} and says what it advertises, besides the capabilities that follow from the handlers. An error names a capability without its handler, a method of the handler that is almost one of a handler, or an option that is wrong.`,
  );
  const known = rows
    .filter(({ isRequired }) => !isRequired)
    .map(
      ({ method }) =>
        go`\treflect.TypeFor[${identifier(context.names.handlerTypeOf(method))}](),\n`,
    );
  const types = go`${lowerName(role)}Handlers`;
  const steps = rows.map((row) => printStep(role, row, context));
  return go`// ${types} are the interfaces that the handler of ${role.side === "agent" ? go`an agent` : go`a client`} may implement.
var ${types} = []reflect.Type{
${joinGo(known, "")}}

${doc}func New${role.name}(handler ${role.name}Handler, message ${hello}, options *acp.Options) (*${role.name}, error) {
	s := role.NewSetup(protocol(), role.${role.name}, ${schemaName(params, context)}, ${schemaName(result!, context)}, new${role.peer})
	if handler == nil {
		return nil, s.MissingHandler()
	}
${indent(joinGo(steps, ""))}	if message == nil {
		message = new(${typeName(definition.name, context)})
	}
	data, err := ${schemaName(definition.name, context)}.Encode(message)
	own, err := s.Role(handler, ${types}, ${literal(info)}, data, err, options)
	if err != nil {
		return nil, err
	}
	return &${role.name}{own}, nil
}
`;
}

function lowerName({ side }: Role): Go {
  return side === "agent" ? go`agent` : go`client`;
}

/** Prints the function that returns what the other side has said of itself. */
function printHandshake({ peer, receiver }: Role, message: string, context: GoContext): Go {
  const doc = comment(
    "Handshake returns what the other side has said of itself: its name, and what it advertises.",
  );
  return go`${doc}func (${receiver} *${peer}) Handshake() ${messageType(message, context)} {
	return role.Handshake(${receiver}.conn, ${schemaName(message, context)})
}
`;
}

/** Prints the statements that add the handler of a method. */
function printStep(role: Role, { method, isRequired }: MethodRow, context: GoContext): Go {
  const { name, kind, params, result } = method;
  const own = identifier(context.names.handlerOf(method));
  const type = identifier(context.names.handlerTypeOf(method));
  const schemas = [params, ...(result === undefined ? [] : [result])].map((one) =>
    schemaName(one, context),
  );
  const add = (handler: Go): Go =>
    go`role.Handle${kind === "request" ? go`Request` : go`Notification`}(s, ${literal(name)}, ${joinGo(schemas, ", ")}, new${role.call}, ${handler})`;
  if (isRequired) return go`${add(go`handler.${own}`)}\n`;
  if (kind === "request")
    return go`if h, ok := handler.(${type}); ok {\n\t${add(go`h.${own}`)}\n}\n`;
  // Updates are received without a handler, too.
  const message = messageType(params, context);
  return go`var on${own} func(context.Context, *${role.call}, ${message}) error
if h, ok := handler.(${type}); ok {
	on${own} = h.${own}
}
${add(go`on${own}`)}
`;
}

function printCall({ peer, receiver }: Role, method: Method, context: GoContext): Go {
  const { name, params, result } = method;
  const own = identifier(context.names.handlerOf(method));
  const start = go`ctx, ${receiver}.conn, ${literal(name)}, ${schemaName(params, context)}, params`;
  const call =
    result === undefined
      ? go`role.Notify(${start})`
      : go`role.Invoke(${start}, ${schemaName(result, context)})`;
  return go`${docOf(method, context)}func (${receiver} *${peer}) ${own}${signature(method, go``, context)} {
	return ${call}
}
`;
}

/** Returns the comment of a handler or a call, which begins with its name. */
function docOf(method: Method, context: GoContext): Go {
  const { name, summary, gate } = method;
  const text = summary.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  const first = `${context.names.handlerOf(method)} (${name}) ${text}`;
  return comment([first, gateText(gate)].filter((one) => one !== "").join("\n\n"));
}
