import type { CallOptions } from "../../rpc/outbound-requests.js";
import { toTransport, type Transport, type MessageStream } from "../../rpc/transport.js";
import { Connection } from "../../rpc/connection.js";
import { ErrorCodes, RpcError } from "../../rpc/errors.js";
import { PeerContract } from "../peer-contract.js";
import { createHandlerTable, type Handler, type HandlerTable } from "../handlers.js";
import {
  isRecord,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
} from "../../rpc/messages.js";
import type { MethodDescriptor } from "../../methods.js";
import { createPeer, type Callee } from "../peer.js";
import type { ProxyDefinition } from "./proxy-role.js";
import { failure, type Cancellation, type Receiver } from "../../rpc/inbound-requests.js";

type Direction = "toAgent" | "toClient";
type Kind = MethodDescriptor["kind"];
/** Forwards a message in one direction. */
type Send = (
  kind: Kind,
  method: string,
  params: unknown,
  options?: CallOptions,
) => Promise<unknown>;

const SUCCESSOR = "proxy/successor";

/**
 * A component between client and agent, connected to the conductor that routes its messages
 * (feature `proxy_chains`). Messages from the client are forwarded to the agent wrapped in
 * `proxy/successor`; messages that arrive in `proxy/successor` are for the client. Results and
 * errors are returned unchanged; a cancellation is forwarded one hop at a time.
 */
export class ProxySession implements Receiver {
  readonly connection: Connection;
  readonly #definition: ProxyDefinition;
  readonly #contract: PeerContract;
  readonly #tables: Readonly<Record<Direction, HandlerTable>>;
  readonly #peers: Readonly<Record<Direction, unknown>>;
  readonly #send: Readonly<Record<Direction, Send>>;

  constructor(definition: ProxyDefinition, transport: Transport | MessageStream) {
    const { role, toAgent, toClient } = definition;
    const of = (side: string): MethodDescriptor[] =>
      role.methods.filter((method) => method.side === side && method.name !== "initialize");
    this.#definition = definition;
    this.#contract = new PeerContract(role);
    this.#tables = {
      toAgent: createHandlerTable(of("agent"), toAgent),
      toClient: createHandlerTable(of("client"), toClient),
    };
    const send: Send = (kind, method, params, options) =>
      kind === "request"
        ? this.connection.request(method, params, options)
        : this.connection.notify(method, params);
    this.#send = {
      toClient: send,
      toAgent: (kind, method, params, options) =>
        send(kind, SUCCESSOR, { method, params }, options),
    };
    this.#peers = {
      toAgent: this.#createPeer("toAgent", of("agent")),
      toClient: this.#createPeer("toClient", of("client")),
    };
    const { limits, protocolVersion, report } = role;
    const options = { limits, nullIds: protocolVersion === 1 };
    this.connection = new Connection(toTransport(transport), this, report, options);
    this.connection.start();
  }

  async request(message: RequestMessage, { signal }: Cancellation): Promise<unknown> {
    if (message.method === "proxy/initialize") return this.#initialize(message.params, signal);
    if (this.#contract.handshake === undefined)
      throw new RpcError(ErrorCodes.InvalidRequest, "proxy/initialize comes first");
    const { direction, method, params } = unwrap(message);
    const found = this.#tables[direction].request.get(method);
    if (found?.handler === undefined) return this.#relay(direction, message, signal);
    const forward = (changed: unknown): Promise<unknown> =>
      this.#call(direction, found.method, changed, { signal });
    const result = await this.#handle(found.method, found.handler, params, {
      signal,
      requestId: message.id,
      forward,
    });
    this.#contract.check(found.method, "result", result ?? {});
    return result ?? {};
  }

  notification(message: NotificationMessage, signal: AbortSignal): Promise<void> {
    if (this.#contract.handshake === undefined) return Promise.resolve();
    const { direction, method, params } = unwrap(message);
    const found = this.#tables[direction].notification.get(method);
    if (found?.handler === undefined)
      return this.#send[direction]("notification", method, params) as Promise<void>;
    const forward = (changed: unknown): Promise<unknown> =>
      this.#call(direction, found.method, changed);
    return this.#handle(found.method, found.handler, params, {
      signal,
      forward,
    }) as Promise<void>;
  }

  /** Initializes the successor first, then answers with its protocol version. */
  async #initialize(params: unknown, signal: AbortSignal): Promise<unknown> {
    const method = this.#contract.find("initialize", "request", "agent")!;
    const request = this.#contract.decode(method, "params", params ?? {});
    const answered = await this.#send.toAgent("request", "initialize", params, { signal });
    const response = this.#contract.decode(method, "result", answered);
    const changed = this.#definition.initialize?.(response, request) ?? response;
    const version = isRecord(response) ? response["protocolVersion"] : undefined;
    const own = { ...(changed as object), protocolVersion: version };
    this.#contract.check(method, "result", own);
    this.#contract.agree(request, response);
    return own;
  }

  /** Forwards a request unchanged; its response is sent before the next message is processed. */
  async #relay(
    direction: Direction,
    message: RequestMessage,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { id } = message;
    const { method, params } = unwrap(message);
    const wrapped = direction === "toAgent" ? { method, params } : params;
    const name = direction === "toAgent" ? SUCCESSOR : method;
    return this.connection.request(
      name,
      wrapped,
      { signal },
      {
        accept: (result) => this.connection.respond({ jsonrpc: "2.0", id, result }),
        refuse: (error) => this.connection.respond(failure(id, error)),
      },
    );
  }

  async #handle(
    method: MethodDescriptor,
    handler: Handler,
    params: unknown,
    context: {
      readonly signal: AbortSignal;
      readonly requestId?: RequestId;
      readonly forward: (changed: unknown) => Promise<unknown>;
    },
  ): Promise<unknown> {
    const decoded = this.#contract.decode(method, "params", params ?? {});
    return handler(decoded, {
      ...context,
      client: this.#peers.toClient,
      agent: this.#peers.toAgent,
      handshake: this.#contract.handshake,
      method: method.name,
      forward: (changed: unknown = params) => context.forward(changed),
    });
  }

  /** Calls either side with the checks of its methods. */
  async #call(
    direction: Direction,
    method: MethodDescriptor,
    params: unknown,
    options?: CallOptions,
  ): Promise<unknown> {
    this.#contract.check(method, "params", params);
    const result = await this.#send[direction](method.kind, method.name, params, options);
    return method.kind === "request" ? this.#contract.decode(method, "result", result) : undefined;
  }

  #createPeer(direction: Direction, methods: readonly MethodDescriptor[]): unknown {
    return createPeer(methods, {
      call: (method, params, options) => this.#call(direction, method, params, options),
      callByName: (kind, callee: Callee, params, options) => {
        const name = typeof callee === "string" ? callee : callee.method;
        const method = methods.find((other) => other.name === name && other.kind === kind);
        return method === undefined
          ? this.#send[direction](kind, name, params, options)
          : this.#call(direction, method, params, options);
      },
      isOpen: (method) => this.#contract.gates.missing(method) === undefined,
    });
  }
}

/** Returns the direction and the inner message of a possibly wrapped message. */
function unwrap({ method, params }: { readonly method: string; readonly params?: unknown }): {
  readonly direction: Direction;
  readonly method: string;
  readonly params: unknown;
} {
  if (method !== SUCCESSOR) return { direction: "toAgent", method, params };
  if (!isRecord(params) || typeof params["method"] !== "string") {
    throw new RpcError(ErrorCodes.InvalidParams, "Invalid params", {
      pointer: "/method",
      rule: "type",
    });
  }
  return { direction: "toClient", method: params["method"], params: params["params"] };
}
