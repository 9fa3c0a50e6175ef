import type { CallActions, CallOptions } from "../../rpc/outbound-requests.js";
import { earlyNotification, ErrorCodes, RpcError } from "../../rpc/errors.js";
import { findInitialize, INITIALIZE } from "../../find-method.js";
import { PeerContract } from "../peer-contract.js";
import { createHandlerTable, type HandlerTable } from "../options/handlers.js";
import { isRecord, type RequestId, type ResponseMessage } from "../../rpc/messages.js";
import type { MethodDescriptor } from "../../methods.js";
import * as sentences from "../../sentences.js";
import { createPeer } from "../peer.js";
import type { ProxyDefinition } from "./proxy-role.js";
import { failure } from "../../rpc/inbound-requests.js";
import { decode } from "../../validate/decode.js";
import { InvalidValueError } from "../../validate/encode.js";

export type Direction = "toAgent" | "toClient";

/** Sends the messages of one direction. */
export interface RelayLink {
  request(
    method: string,
    params: unknown,
    options?: CallOptions,
    actions?: Partial<Pick<CallActions, "accept" | "refuse">>,
  ): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
}

/** A message on its way through a proxy. */
export interface RelayedMessage {
  readonly direction: Direction;
  readonly method: string;
  readonly params: unknown;
}

/** A request on its way through a proxy. */
export interface RelayedRequest extends RelayedMessage {
  readonly id: RequestId;
  readonly signal: AbortSignal;
  /** Answers the request at once; the result of `ProxyRelay.request` is then ignored. */
  readonly respond: (response: ResponseMessage) => void;
}

/**
 * Passes the messages between a client and an agent on: through the handlers of the proxy, and
 * unchanged where there is none.
 *
 * A proxy is as lenient as a receiver with what its handlers forward or return, since a message
 * may have parts that this version does not know.
 */
export class ProxyRelay {
  readonly #definition: ProxyDefinition;
  readonly #contract: PeerContract;
  readonly #tables: Readonly<Record<Direction, HandlerTable>>;
  readonly #peers: Readonly<Record<Direction, unknown>>;
  readonly #links: Readonly<Record<Direction, RelayLink>>;

  constructor(definition: ProxyDefinition, links: Readonly<Record<Direction, RelayLink>>) {
    const { role, toAgent, toClient } = definition;
    const of = (side: string): MethodDescriptor[] =>
      role.methods.filter((method) => method.side === side && method.name !== INITIALIZE);
    this.#definition = definition;
    this.#links = links;
    this.#contract = new PeerContract(role);
    this.#tables = {
      toAgent: createHandlerTable(of("agent"), toAgent),
      toClient: createHandlerTable(of("client"), toClient),
    };
    this.#peers = {
      toAgent: this.#createPeer("toAgent", of("agent")),
      toClient: this.#createPeer("toClient", of("client")),
    };
  }

  /** Returns whether the handshake is complete. */
  get isReady(): boolean {
    return this.#contract.handshake !== undefined;
  }

  /**
   * Initializes the agent and returns its response, with the changes of the proxy. A version that
   * the proxy does not know is lowered to its own, as the agent would.
   *
   * @throws RpcError when client or agent speaks another version, or when the agent fails
   */
  async initialize(params: unknown, signal: AbortSignal): Promise<unknown> {
    const { protocolVersion } = this.#contract.role;
    const method = findInitialize(this.#contract.role.methods)!;
    // Another version may have another structure, so the version is checked before the rest.
    const requested = versionOf(params);
    if (requested < protocolVersion) throw unsupported(requested, protocolVersion);
    const request = this.#contract.decode(method, "params", params ?? {});
    const sent =
      requested > protocolVersion ? { ...(params as object), protocolVersion } : (params ?? {});
    const answered = await this.#links.toAgent.request(INITIALIZE, sent, { signal });
    const agreed = versionOf(answered);
    if (agreed !== protocolVersion) throw unsupported(agreed, protocolVersion);
    const response = this.#contract.decode(method, "result", answered);
    let own = answered;
    const change = this.#definition.initialize;
    if (change !== undefined) {
      own = { ...(change(response, request) as object), protocolVersion };
      this.#check(method, "result", own);
    }
    this.#contract.agree(request, response);
    return own;
  }

  /** Passes a request on; resolves with the result for its sender. */
  async request(message: RelayedRequest): Promise<unknown> {
    const { direction, method: name, params, id, signal, respond } = message;
    const { method, handler } = this.#tables[direction].request.get(name) ?? {};
    if (method === undefined || handler === undefined) {
      // The response is sent before the next message is processed.
      return this.#links[direction].request(
        name,
        params,
        { signal },
        {
          accept: (result) => respond({ jsonrpc: "2.0", id, result }),
          refuse: (error) => respond(failure(id, error)),
        },
      );
    }
    const forward = (changed?: unknown): Promise<unknown> =>
      this.#forward(direction, method, changed, params, signal);
    const decoded = this.#contract.decode(method, "params", params ?? {});
    const context = this.#context(name, signal, forward);
    const result = (await handler(decoded, { ...context, requestId: id })) ?? {};
    this.#check(method, "result", result);
    return result;
  }

  /**
   * Passes a notification on.
   *
   * @throws AcpError before the handshake is complete
   */
  notification(message: RelayedMessage, signal: AbortSignal): unknown {
    const { direction, method: name, params } = message;
    if (!this.isReady) throw earlyNotification(name);
    const { method, handler } = this.#tables[direction].notification.get(name) ?? {};
    if (method === undefined || handler === undefined)
      return this.#links[direction].notify(name, params);
    const forward = (changed?: unknown): Promise<unknown> =>
      this.#forward(direction, method, changed, params, signal);
    const decoded = this.#contract.decode(method, "params", params ?? {});
    return handler(decoded, this.#context(name, signal, forward));
  }

  #context(
    method: string,
    signal: AbortSignal,
    forward: (changed?: unknown) => Promise<unknown>,
  ): object {
    return {
      client: this.#peers.toClient,
      agent: this.#peers.toAgent,
      handshake: this.#contract.handshake,
      method,
      signal,
      forward,
    };
  }

  /**
   * Forwards a message that a handler has received.
   *
   * @param changed params in place of those that were received, which are forwarded unchanged
   */
  async #forward(
    direction: Direction,
    method: MethodDescriptor,
    changed: unknown,
    received: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const link = this.#links[direction];
    if (changed !== undefined) this.#check(method, "params", changed);
    const params = changed ?? received;
    if (method.kind === "notification") return link.notify(method.name, params);
    const result = await link.request(method.name, params, { signal });
    return this.#contract.decode(method, "result", result);
  }

  /** Calls either side for a handler, with the checks of its methods. */
  async #call(
    direction: Direction,
    method: MethodDescriptor,
    params: unknown,
    options?: CallOptions,
  ): Promise<unknown> {
    this.#contract.check(method, "params", params);
    const link = this.#links[direction];
    if (method.kind === "notification") return link.notify(method.name, params);
    const result = await link.request(method.name, params, options);
    return this.#contract.decode(method, "result", result);
  }

  /** @throws InvalidValueError for a value that receivers reject */
  #check(method: MethodDescriptor, part: "params" | "result", value: unknown): void {
    const { checks, checkOutgoing = true } = this.#contract.role;
    const definition = method[part]!;
    const check = checks[definition];
    if (check === undefined || !checkOutgoing) return;
    const decoded = decode(check, value);
    if (!decoded.ok) throw new InvalidValueError(definition, decoded.issues, method.name);
  }

  #createPeer(direction: Direction, methods: readonly MethodDescriptor[]): unknown {
    return createPeer(methods, {
      call: (method, params, options) => this.#call(direction, method, params, options),
      callByName: (kind, callee, params, options) => {
        const name = typeof callee === "string" ? callee : callee.method;
        const method = methods.find((other) => other.name === name && other.kind === kind);
        if (method !== undefined) return this.#call(direction, method, params, options);
        const link = this.#links[direction];
        return kind === "request" ? link.request(name, params, options) : link.notify(name, params);
      },
      isOpen: (method) => this.#contract.gates.missing(method) === undefined,
    });
  }
}

/** Returns the protocol version in a message; NaN when there is none. */
function versionOf(message: unknown): number {
  const version = isRecord(message) ? message["protocolVersion"] : undefined;
  return typeof version === "number" ? version : NaN;
}

function unsupported(requested: number, supported: number): RpcError {
  const data = { requested, supported: [supported] };
  return new RpcError(ErrorCodes.UnsupportedProtocolVersion, sentences.unsupportedVersion, data, {
    method: INITIALIZE,
  });
}
