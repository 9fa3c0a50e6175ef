import { fromStream, type Channel, type MessageStream } from "./channel.js";
import { Connection, type CallContext, type CallOptions, type Report } from "./connection.js";
import { decode } from "./decode.js";
import { EncodeError, whyNotSent } from "./encode.js";
import { CapabilityError, ErrorCodes, ProtocolVersionError, RpcError } from "./errors.js";
import { checkHandlers, findHandler, type Handler } from "./handlers.js";
import { isRecord, type RequestId } from "./messages.js";
import {
  missingCapability,
  type Advertised,
  type MethodDescriptor,
  type Checks,
} from "./methods.js";
import type { Dropped, ValidationError } from "./verdict.js";

/** What a handler is given besides its params. */
export interface HandlerContext<Peer> {
  /** The other side, to call it back. */
  readonly peer: Peer;
  /** The method's name on the wire. */
  readonly method: string;
  /** Aborted when the peer cancels the request or the connection closes. */
  readonly signal: AbortSignal;
  /** The session that the params name; absent when they name none. */
  readonly sessionId?: string;
  /** The request's id; absent for notifications. */
  readonly requestId?: RequestId;
}

/** Handles a method outside the protocol; its name starts with `_`. Params are not checked. */
export type ExtensionHandler<Peer> = (params: unknown, context: HandlerContext<Peer>) => unknown;

export type ExtensionHandlers<Peer> = {
  readonly [method: `_${string}`]: ExtensionHandler<Peer>;
};

/** Every peer can also be called by method name, for methods outside the protocol. */
export interface ExtensiblePeer {
  /** Sends an extension request; neither params nor result are checked. */
  request(method: `_${string}`, params: unknown, options?: CallOptions): Promise<unknown>;
  /** Sends an extension notification. */
  notify(method: `_${string}`, params: unknown): Promise<void>;
}

/** A live connection to the other side. */
export interface RoleConnection<Peer> {
  readonly peer: Peer;
  /** Resolves when the connection has ended, however it ended. */
  readonly closed: Promise<void>;
  /** Ends the connection: pending calls are rejected, running handlers aborted. */
  close(): void;
}

/** What both roles take. */
export interface RoleOptions<Peer> {
  /** Methods outside the protocol. */
  readonly extensions?: ExtensionHandlers<Peer>;
  /** Told what cannot be answered: a failed notification handler, an unexpected response. */
  readonly onError?: Report;
  /**
   * Whether params and results are checked before they are sent; true when absent.
   * A program that is tested can save the time.
   */
  readonly checkOutgoing?: boolean;
  /** Told what was repaired in an incoming message, or kept without being known. */
  readonly onDropped?: (dropped: readonly Dropped[], about: { readonly method: string }) => void;
}

/** The generated facts of a role, and what its author gave. */
export interface RoleDefinition<Peer> extends RoleOptions<Peer> {
  readonly role: "agent" | "client";
  readonly protocolVersion: number;
  readonly methods: readonly MethodDescriptor[];
  readonly checks: Checks;
  /** What this side says of itself in its initialize message. */
  readonly advertised: object;
  /** Nested by `MethodDescriptor.handler`. */
  readonly handlers: object;
}

const INITIALIZE = "initialize";

/** Makes sure that a role is complete; a mistake shows when it is made, not when it is called. */
export function defineRole<Peer>(definition: RoleDefinition<Peer>): RoleDefinition<Peer> {
  checkHandlers(definition);
  return definition;
}

/** One connection in one role: the handshake, the checks and the calls. */
export class RoleSession<Peer> {
  readonly connection: Connection;
  readonly peer: Peer;
  readonly #definition: RoleDefinition<Peer>;
  readonly #advertised: Advertised;
  #initialized = false;

  constructor(definition: RoleDefinition<Peer>, transport: Channel | MessageStream) {
    this.#definition = definition;
    this.#advertised = { [definition.role]: definition.advertised };
    this.peer = this.#createPeer();
    const channel = "start" in transport ? transport : fromStream(transport);
    this.connection = new Connection(
      channel,
      {
        request: (method, params, context) => this.#receiveRequest(method, params, context),
        notification: (method, params, context) =>
          this.#receiveNotification(method, params, context),
      },
      definition.onError ?? (() => {}),
    );
    this.connection.start();
  }

  /**
   * The client's side of the handshake.
   *
   * @throws ProtocolVersionError when the agent answers with another version; the connection is closed then
   */
  initialize(): Promise<unknown> {
    const { protocolVersion, advertised, methods } = this.#definition;
    const method = methods.find(({ name, side }) => name === INITIALIZE && side === "agent")!;
    const params = { protocolVersion, ...advertised };
    return this.connection.request(INITIALIZE, params, {}, (result) => {
      const decoded = this.#decode(method.result!, result, "result", INITIALIZE);
      const offered = isRecord(decoded) ? decoded["protocolVersion"] : undefined;
      if (offered !== protocolVersion) {
        this.connection.close();
        throw new ProtocolVersionError(protocolVersion, offered);
      }
      this.#advertised.agent = decoded;
      this.#initialized = true;
      return decoded;
    });
  }

  #receiveRequest(name: string, params: unknown, context: CallContext): Promise<unknown> {
    if (name === INITIALIZE && this.#definition.role === "agent")
      return this.#answerInitialize(params);
    if (!this.#initialized) throw new RpcError(ErrorCodes.InvalidRequest, "initialize comes first");
    const extension = this.#extension(name);
    if (extension !== undefined) return invoke(extension, params, this.#context(params, context));
    const { method, handler } = this.#find(name, "request");
    if (handler === undefined || method === undefined) {
      throw new RpcError(ErrorCodes.MethodNotFound, "Method not found");
    }
    const decoded = this.#decode(method.params, params ?? {}, "params", name);
    this.#checkKey(method, decoded);
    return invoke(handler, decoded, this.#context(decoded, context)).then((given) => {
      const result = given ?? {};
      const errors = this.#whyNotSent(method.result!, result);
      if (errors.length > 0) throw mistake(errors, "result");
      return result;
    });
  }

  #receiveNotification(name: string, params: unknown, context: CallContext): Promise<void> | void {
    if (!this.#initialized) return;
    const extension = this.#extension(name);
    const { method, handler } = this.#find(name, "notification");
    if (extension !== undefined)
      return invoke(extension, params, this.#context(params, context)) as Promise<void>;
    if (handler === undefined || method === undefined) return;
    const decoded = this.#decode(method.params, params ?? {}, "params", name);
    return invoke(handler, decoded, this.#context(decoded, context)) as Promise<void>;
  }

  /** The agent's side of the handshake: it answers with the version it speaks. */
  async #answerInitialize(params: unknown): Promise<unknown> {
    const { protocolVersion, advertised, methods } = this.#definition;
    const method = methods.find(({ name, side }) => name === INITIALIZE && side === "agent")!;
    this.#advertised.client = this.#decode(method.params, params, "params", INITIALIZE);
    this.#initialized = true;
    return { protocolVersion, ...advertised };
  }

  /** The method this side handles under a name, and its handler when the method may be used. */
  #find(
    name: string,
    kind: MethodDescriptor["kind"],
  ): { readonly method?: MethodDescriptor; readonly handler?: Handler } {
    const { role, methods, handlers } = this.#definition;
    const method = methods.find(
      (other) => other.name === name && other.kind === kind && other.side === role,
    );
    if (method === undefined || missingCapability(method.gate, this.#advertised) !== undefined)
      return {};
    const handler = findHandler(handlers, method.handler);
    return handler === undefined ? { method } : { method, handler };
  }

  #extension(name: string): Handler | undefined {
    const { extensions } = this.#definition;
    if (!name.startsWith("_") || extensions === undefined || !Object.hasOwn(extensions, name))
      return undefined;
    return extensions[name as `_${string}`] as Handler;
  }

  #context(params: unknown, context: CallContext): HandlerContext<Peer> {
    const sessionId = isRecord(params) ? params["sessionId"] : undefined;
    return { ...context, peer: this.peer, ...(typeof sessionId === "string" && { sessionId }) };
  }

  /**
   * Decodes what came in, as leniently as the protocol demands.
   *
   * @throws RpcError with the place of the first mistake and the rule it breaks, never the value
   */
  #decode(definition: string, value: unknown, part: "params" | "result", method: string): unknown {
    const check = this.#definition.checks[definition];
    if (check === undefined) return value;
    const decoded = decode(check, value);
    if (!decoded.ok) throw mistake(decoded.errors, part);
    if (decoded.dropped.length > 0) this.#definition.onDropped?.(decoded.dropped, { method });
    return decoded.value;
  }

  #whyNotSent(definition: string, value: unknown): readonly ValidationError[] {
    const { checks, checkOutgoing = true } = this.#definition;
    const check = checks[definition];
    return checkOutgoing && check !== undefined ? whyNotSent(check, value) : [];
  }

  /** What the params choose must have been advertised, e.g. the mode of an elicitation. */
  #checkKey({ gate }: MethodDescriptor, params: unknown): void {
    if (gate?.kind !== "key" || missingCapability(gate, this.#advertised, params) === undefined)
      return;
    const pointer = gate.key.replace("params", "").replaceAll(".", "/");
    throw new RpcError(ErrorCodes.InvalidParams, "Invalid params", { pointer, rule: "capability" });
  }

  /** Nested functions for everything that the other side handles. */
  #createPeer(): Peer {
    const { role, methods } = this.#definition;
    const root: Record<string, unknown> = {
      request: (method: string, params: unknown, options?: CallOptions) =>
        this.connection.request(method, params, options),
      notify: (method: string, params: unknown) => this.connection.notify(method, params),
    };
    const other = role === "agent" ? "client" : "agent";
    for (const method of methods.filter(
      ({ side, name }) => side === other && name !== INITIALIZE,
    )) {
      let group = root;
      for (const segment of method.handler.slice(0, -1)) {
        group = (group[segment] ??= {}) as Record<string, unknown>;
      }
      group[method.handler.at(-1)!] = (params: unknown, options?: CallOptions) =>
        this.#call(method, params, options);
    }
    return root as Peer;
  }

  #call(method: MethodDescriptor, params: unknown, options?: CallOptions): Promise<unknown> {
    const missing = this.#initialized
      ? missingCapability(method.gate, this.#advertised, params)
      : INITIALIZE;
    if (missing !== undefined) return Promise.reject(new CapabilityError(method.name, missing));
    const errors = this.#whyNotSent(method.params, params);
    if (errors.length > 0) return Promise.reject(new EncodeError(errors));
    if (method.kind === "notification") return this.connection.notify(method.name, params);
    return this.connection.request(method.name, params, options, (result) =>
      this.#decode(method.result!, result, "result", method.name),
    );
  }
}

function mistake([first]: readonly ValidationError[], part: "params" | "result"): RpcError {
  const data = { pointer: first?.path ?? "", rule: first?.rule ?? "" };
  return part === "params"
    ? new RpcError(ErrorCodes.InvalidParams, "Invalid params", data)
    : new RpcError(ErrorCodes.InternalError, "Invalid result", data);
}

/** Starts a handler now; what it throws becomes a rejection. */
async function invoke(handler: Handler, params: unknown, context: unknown): Promise<unknown> {
  return await handler(params, context);
}
