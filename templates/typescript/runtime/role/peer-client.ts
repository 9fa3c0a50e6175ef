import { hasTrait, INITIALIZE } from "../find-method.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import type { Connection } from "../rpc/connection.js";
import { NotInitializedError } from "../rpc/errors.js";
import { ofSubagent } from "./capability-errors.js";
import { receivedResultError, type PeerContract } from "./peer-contract.js";
import { CODE } from "./extensions/extension.js";
import { findUnfitContent } from "../conformance/elicitation.js";
import { interceptCall } from "../rpc/intercept.js";
import { InvalidValueError } from "../validate/encode.js";
import type { MethodDescriptor } from "../methods.js";
import type { ConnectionSessions, ResumedSessions } from "../session/link.js";
import type { CancelledTurns } from "./cancelled-turns.js";
import type { SessionTree } from "../session/session-tree.js";
import { createPeer, type Callee } from "./peer.js";
import * as sentences from "../sentences.js";

/** The parts of a connection that the peer client needs. */
export interface PeerConnection extends Pick<Connection, "request" | "notify"> {
  /** Cancels the questions of a session to the user after `session/cancel` was sent. */
  readonly cancelPrompt: (params: unknown) => void;
  /** The sessions and their subagents, as updates report them. */
  readonly tree: SessionTree;
  /** The cancelled turns of a client. */
  readonly turns?: CancelledTurns | undefined;
  /** Sends the requests of a client. */
  readonly requests?: RequestSender | undefined;
  /** The resumptions of sessions that an agent handles. */
  readonly resumptions?: ResumedSessions | undefined;
  readonly sessions?: ConnectionSessions | undefined;
}

/** A request that was checked and may be sent. */
export interface CheckedRequest {
  readonly method: MethodDescriptor;
  readonly params: unknown;
  readonly options: CallOptions | undefined;
  /** Decodes the result. */
  readonly accept: (result: unknown) => unknown;
}

/** Sends requests with what belongs to them. */
export interface RequestSender {
  send(client: PeerClient, request: CheckedRequest): Promise<unknown>;
}

/**
 * Calls the other side. Calls that need a capability which was not advertised, and params that
 * the schema rejects, are refused before they are sent.
 */
export class PeerClient {
  /** The other side, as handlers and applications call it. */
  readonly peer: unknown;
  readonly contract: PeerContract;
  readonly #connection: PeerConnection;
  /** The methods of the other side. */
  readonly methods: readonly MethodDescriptor[];

  constructor(contract: PeerContract, connection: PeerConnection) {
    this.contract = contract;
    this.#connection = connection;
    const { role, methods } = contract.role;
    const other = role === "agent" ? "client" : "agent";
    this.methods = methods.filter(({ side, name }) => side === other && name !== INITIALIZE);
    this.peer = this.createPeer((options) => options);
  }

  /**
   * Returns the other side with calls that inherit a signal, unless their options have one or
   * `null`.
   */
  inheriting(source: { readonly signal: AbortSignal }): unknown {
    return this.createPeer((options) =>
      options?.signal === undefined ? { ...options, signal: source.signal } : options,
    );
  }

  /** Returns the other side with calls whose options a function completes. */
  createPeer(complete: (options?: CallOptions) => CallOptions | undefined): unknown {
    const contract = this.contract;
    return createPeer(this.methods, {
      call: (method, given, options) =>
        this.run(method.kind, method.name, given, (params) =>
          this.call(method, params, method.kind === "request" ? complete(options) : options),
        ),
      callByName: (kind, callee, given, options) =>
        this.run(kind, typeof callee === "string" ? callee : callee.method, given, (params) =>
          this.#callByName(kind, callee, params, kind === "request" ? complete(options) : options),
        ),
      isOpen: (method) =>
        contract.handshake !== undefined && contract.gates.missing(method) === undefined,
    });
  }

  /** Runs a call, through the intercept function if there is one. */
  run(
    kind: MethodDescriptor["kind"],
    method: string,
    params: unknown,
    proceed: (params: unknown) => Promise<unknown>,
  ): Promise<unknown> {
    const { intercept } = this.contract.role;
    if (intercept === undefined) return proceed(params);
    return interceptCall(intercept, { kind, method, params }, proceed);
  }

  /** Checks and sends a call. */
  call(method: MethodDescriptor, given: unknown, options?: CallOptions): Promise<unknown> {
    const { name, kind } = method;
    const { role, gates, handshake } = this.contract;
    const isGated = options?.ignoreCapabilities !== true;
    let params = given;
    try {
      if (handshake === undefined) throw new NotInitializedError(name);
      // One with a key names what the params need.
      if (isGated && method.gate?.kind !== "key") this.contract.checkGate(method);
      const prepare = role.prepare?.[name];
      if (prepare !== undefined)
        params = prepare(given, role.role === "agent" ? handshake.request : handshake.response);
      this.contract.check(method, "params", params, isGated);
      // Gates that depend on the params come last, because the params must be checked before they
      // are read.
      const issue = isGated ? this.#connection.sessions?.findIssue?.(method, params) : undefined;
      if (issue !== undefined) throw new InvalidValueError(method.params, [issue], name);
      if (isGated) {
        this.contract.checkGate(method, params);
        if (role.role === "client" && this.#connection.tree.isRefused(method, params))
          throw ofSubagent(name);
      }
    } catch (error) {
      return Promise.reject(error);
    }
    gates.learn(method, params);
    if (kind === "notification") {
      const isCancel = hasTrait(method, "cancels-turn");
      // A transport may deliver what the other side answers before `notify` returns.
      const isUpdate = hasTrait(method, "updates-session");
      if (isCancel) {
        this.#connection.turns?.cancel(params);
        this.#connection.sessions?.cancelled?.(params);
      } else if (isUpdate) this.#connection.tree.update(params);
      const { resumptions } = this.#connection;
      if (resumptions !== undefined && isUpdate)
        return resumptions.send(params, () => this.#connection.notify(name, params));
      const sent = this.#connection.notify(name, params);
      if (isCancel) this.#connection.cancelPrompt(params);
      return sent;
    }
    return this.#request(method, params, options);
  }

  #request(method: MethodDescriptor, params: unknown, options?: CallOptions): Promise<unknown> {
    const { role, gates } = this.contract;
    const accept = (result: unknown): unknown => {
      const decoded = this.contract.decode(method, "result", result);
      const unfit = findUnfitContent(params, decoded);
      if (unfit !== undefined) throw receivedResultError(method.name, [unfit]);
      const unavailable = this.contract.findUnavailable(method, "result", decoded);
      if (unavailable !== undefined) role.report(unavailable, { method: method.name });
      gates.learn(method, params, decoded);
      return decoded;
    };
    const { requests } = this.#connection;
    return requests === undefined
      ? this.#connection.request(method.name, params, options, { accept })
      : requests.send(this, { method, params, options, accept });
  }

  #callByName(
    kind: MethodDescriptor["kind"],
    callee: Callee,
    params: unknown,
    options?: CallOptions,
  ): Promise<unknown> {
    if (typeof callee !== "string") return callee[CODE].call(callee, this, params, options);
    const { role, checkOutgoing = true } = this.contract.role;
    const side = role === "agent" ? "client" : "agent";
    const method = this.contract.find(callee, kind, side);
    if (method !== undefined) return this.call(method, params, options);
    if (callee.startsWith("_") || !checkOutgoing) return this.send(kind, callee, params, options);
    const define = kind === "request" ? "defineRequest" : "defineNotification";
    const text = `${sentences.notHandled(callee, kind, side, "")}; to send it nevertheless, pass ${define}({ method: ${JSON.stringify(callee)} })`;
    return Promise.reject(new TypeError(text));
  }

  /** Sends a message whose params were checked. */
  send(
    kind: MethodDescriptor["kind"],
    method: string,
    params: unknown,
    options?: CallOptions,
    accept?: (result: unknown) => unknown,
  ): Promise<unknown> {
    const { handshake, role } = this.contract;
    if (handshake === undefined && role.checkOutgoing !== false)
      return Promise.reject(new NotInitializedError(method));
    return kind === "request"
      ? this.#connection.request(method, params, options, accept && { accept })
      : this.#connection.notify(method, params);
  }
}
