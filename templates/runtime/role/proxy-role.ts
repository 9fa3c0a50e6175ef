import type { RequestId } from "../rpc/messages.js";
import { defineRole, type Role, type RoleDefinition, type RoleOptions } from "./role.js";

/** What a handler of a proxy is given besides its params. */
export interface ProxyContext<Client, Agent, Handshake = unknown> {
  /** The side that the proxy stands before: the editor, or a proxy that stands before it. */
  readonly client: Client;
  /** The side that stands behind the proxy: the agent, or another proxy. */
  readonly agent: Agent;
  readonly handshake: Handshake;
  readonly method: string;
  /** Aborted when the sender cancels the request, or the connection closes. */
  readonly signal: AbortSignal;
  readonly requestId?: RequestId;
}

/**
 * Handlers of a proxy: any of those of an agent or a client. Each can pass the message on,
 * as it came or changed; what has no handler is passed on as it is.
 */
export type Intercepting<Handlers, Context> = {
  readonly [Name in keyof Handlers]?: [FunctionOf<Handlers[Name]>] extends [never]
    ? Intercepting<NonNullable<Handlers[Name]>, Context>
    : Interceptor<FunctionOf<Handlers[Name]>, Context>;
};

/** A handler that may be given by variant can be intercepted as a whole only. */
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

/** What a proxy takes. What has no handler is passed on as it is. */
export interface ProxyOptions<ToAgent, ToClient, Request, Response> extends Pick<
  RoleOptions<never>,
  "onError" | "onDropped" | "checkOutgoing" | "limits"
> {
  /** Handlers of what the client sends to the agent. */
  readonly toAgent?: ToAgent;
  /** Handlers of what the agent sends to the client. */
  readonly toClient?: ToClient;
  /** Changes what the chain says of itself; its version stays. */
  readonly initialize?: (response: Response, request: Request) => Response;
}

/** A proxy with the facts of its protocol. */
export interface ProxyDefinition {
  /** Facts and checks, as those of an agent that handles nothing. */
  readonly role: Role<unknown>;
  readonly toAgent: object;
  readonly toClient: object;
  readonly initialize?: (response: unknown, request: unknown) => unknown;
}

/** Puts together what the protocol says and what the author of a proxy gave. */
export function defineProxy<ToAgent extends object, ToClient extends object, Request, Response>(
  options: ProxyOptions<ToAgent, ToClient, Request, Response>,
  facts: Pick<
    RoleDefinition<unknown>,
    "protocolVersion" | "methods" | "checks" | "declaredFields" | "capabilities"
  >,
): ProxyDefinition {
  const { toAgent = {}, toClient = {}, initialize, ...rest } = options;
  // The ends of the chain see to it that handlers match capabilities.
  const methods = facts.methods.filter(({ side }) => side !== "proxy");
  const role = { ...rest, ...facts, role: "agent", advertised: {}, handlers: {} } as const;
  return {
    role: { ...defineRole({ ...role, methods: [] }), methods },
    toAgent,
    toClient,
    ...(initialize && { initialize: initialize as NonNullable<ProxyDefinition["initialize"]> }),
  };
}
