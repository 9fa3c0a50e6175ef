import { findMethod } from "../../find-method.js";
import type { MethodDescriptor } from "../../methods.js";
import type { RequestId } from "../../rpc/messages.js";
import { checkNames, OPTIONS } from "../options/check-options.js";
import { checkSettings, requireArgument, type Kinds } from "../../rpc/require-argument.js";
import { defineRole, type Role, type RoleDefinition, type RoleOptions } from "../role.js";

/** The context of a proxy's handlers. */
export interface ProxyContext<Client, Agent, Handshake = unknown> {
  /** The client, or the next proxy towards it. */
  readonly client: Client;
  /** The agent, or the next proxy towards it. */
  readonly agent: Agent;
  readonly handshake: Handshake;
  readonly method: string;
  /** Aborted when the sender cancels the request or the connection closes. */
  readonly signal: AbortSignal;
  readonly requestId?: RequestId;
}

/**
 * Handlers of a proxy: any of those of an agent or a client. A handler can forward the message,
 * changed or unchanged; messages without a handler are forwarded unchanged.
 */
export type Intercepting<Handlers, Context> = {
  readonly [Name in keyof Handlers]?: [FunctionOf<Handlers[Name]>] extends [never]
    ? Intercepting<NonNullable<Handlers[Name]>, Context>
    : Interceptor<FunctionOf<Handlers[Name]>, Context>;
};

/** The function form of a handler, since a proxy cannot intercept single variants. */
type FunctionOf<Handler> = Extract<Handler, (params: never, context: never) => unknown>;

type Interceptor<Handler, Context> = Handler extends (
  params: infer Params,
  context: never,
) => infer Result
  ? (
      params: Params,
      context: Context & { readonly forward: (params?: Params) => Promise<Awaited<Result>> },
    ) => Result
  : never;

/** Options of a proxy. Messages without a handler are forwarded unchanged. */
export interface ProxyOptions<ToAgent, ToClient, Request, Response> extends Pick<
  RoleOptions<never>,
  "onError" | "onNotes" | "checkOutgoing" | "limits"
> {
  /** Handlers for messages from the client to the agent. */
  readonly toAgent?: ToAgent;
  /** Handlers for messages from the agent to the client. */
  readonly toClient?: ToClient;
  /** Changes the `initialize` response of the successor; the protocol version cannot change. */
  readonly initialize?: (response: Response, request: Request) => Response;
}

/** A proxy with the facts of its protocol. */
export interface ProxyDefinition {
  /** Facts and checks, like those of an agent without handlers. */
  readonly role: Role<unknown>;
  readonly toAgent: object;
  readonly toClient: object;
  readonly initialize?: (response: unknown, request: unknown) => unknown;
  readonly conductor: ConductorMethods;
}

/** The names of the methods of conductors; empty for a protocol without them. */
export interface ConductorMethods {
  readonly initialize: string;
  /** The request and the notification that contain another message. */
  readonly request: string;
  readonly notification: string;
}

/** The options that only proxies have. */
const OWN: Kinds = { toAgent: "an object", toClient: "an object", initialize: "a function" };

function conductorMethods(methods: readonly MethodDescriptor[]): ConductorMethods {
  return {
    initialize: findMethod(methods, "initializes-proxy")?.name ?? "",
    request: findMethod(methods, "wraps-message")?.name ?? "",
    notification: findMethod(methods, "wraps-message", "notification")?.name ?? "",
  };
}

/**
 * Combines the facts of the protocol with the options of a proxy.
 *
 * @throws AcpError for a handler whose name matches no method, and for a handler that is not a
 *   function
 */
export function defineProxy<ToAgent extends object, ToClient extends object, Request, Response>(
  options: ProxyOptions<ToAgent, ToClient, Request, Response>,
  facts: Pick<RoleDefinition<unknown>, "protocolVersion" | "methods" | "checks" | "capabilities">,
): ProxyDefinition {
  requireArgument("createProxy", options, "an object", "createProxy({ toAgent, toClient })");
  checkSettings("", options, { ...OPTIONS, ...OWN });
  const { toAgent = {}, toClient = {}, initialize, ...rest } = options;
  for (const [name, handlers, side] of [
    ["toAgent", toAgent, "agent"],
    ["toClient", toClient, "client"],
  ] as const)
    checkNames(
      handlers as Readonly<Record<string, unknown>>,
      facts.methods.filter((method) => method.side === side),
      facts.checks,
      name,
    );
  // Capabilities are not checked here: the client and the agent check their own handlers.
  const methods = facts.methods.filter(({ side }) => side !== "proxy");
  const role = { ...rest, ...facts, role: "agent", advertised: {}, handlers: {} } as const;
  return {
    role: { ...defineRole({ ...role, methods: [] }), methods },
    toAgent,
    toClient,
    conductor: conductorMethods(facts.methods),
    ...(initialize && { initialize: initialize as NonNullable<ProxyDefinition["initialize"]> }),
  };
}
