import { findMethod, hasAnyTrait, hasTrait, INITIALIZE, REOPENING } from "../find-method.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import type { Connection } from "../rpc/connection.js";
import { isInstance } from "../acp-error.js";
import {
  AuthRequiredError,
  CapabilityError,
  NotInitializedError,
  type RpcError,
} from "../rpc/errors.js";
import { notSent, ofSubagent } from "./capability-errors.js";
import { receivedResultError, type PeerContract } from "./peer-contract.js";
import { checkExtension, decodeExtension } from "./extensions/check-extension.js";
import { missingMark, type AnyExtension } from "./extensions/extension.js";
import { findUnfitContent } from "../conformance/elicitation.js";
import { interceptCall } from "../rpc/intercept.js";
import { isRecord } from "../rpc/messages.js";
import { InvalidValueError } from "../validate/encode.js";
import type { MethodDescriptor, MethodTrait } from "../methods.js";
import type { AnsweredOptions, ConnectionSessions, HandledUpdates } from "../session/link.js";
import type { CancelledTurns } from "./cancelled-turns.js";
import type { SessionTree } from "../session/session-tree.js";
import { createPeer, type Callee } from "./peer.js";
import * as sentences from "../sentences.js";
import type { Resumptions } from "./resumptions.js";

/** The methods whose results name a session that did not exist before. */
const CREATING: readonly MethodTrait[] = ["creates-session", "forks-session"];

/** The traits of requests whose responses come after updates that belong to them. */
const FOLLOWING_UPDATES: readonly MethodTrait[] = ["starts-turn", ...REOPENING];

/** The parts of a connection that the peer client needs. */
export interface PeerConnection extends Pick<Connection, "request" | "notify"> {
  /** Cancels the questions of a session to the user after `session/cancel` was sent. */
  readonly cancelPrompt: (params: unknown) => void;
  /** The sessions and their subagents, as updates report them. */
  readonly tree: SessionTree;
  /** The cancelled turns of a client. */
  readonly turns?: CancelledTurns | undefined;
  /** The handlers of updates that a client receives. */
  readonly updates?: HandledUpdates | undefined;
  /** The resumptions of sessions that an agent handles. */
  readonly resumptions?: Resumptions | undefined;
  readonly sessions?: ConnectionSessions | undefined;
}

/**
 * Calls the other side. Calls that need a capability which was not advertised, and params that
 * the schema rejects, are refused before they are sent.
 */
export class PeerClient {
  /** The other side, as handlers and applications call it. */
  readonly peer: unknown;
  readonly #contract: PeerContract;
  readonly #connection: PeerConnection;
  readonly #methods: readonly MethodDescriptor[];
  /** The authentication that is in progress. */
  #authentication: Promise<boolean> | undefined;
  /** The times that the client has authenticated. */
  #authentications = 0;

  constructor(contract: PeerContract, connection: PeerConnection) {
    this.#contract = contract;
    this.#connection = connection;
    const { role, methods } = contract.role;
    const other = role === "agent" ? "client" : "agent";
    this.#methods = methods.filter(({ side, name }) => side === other && name !== INITIALIZE);
    this.peer = this.#createPeer((options) => options);
  }

  /**
   * Returns the other side with calls that inherit a signal, unless their options have one or
   * `null`.
   */
  inheriting(source: { readonly signal: AbortSignal }): unknown {
    return this.#createPeer((options) =>
      options?.signal === undefined ? { ...options, signal: source.signal } : options,
    );
  }

  #createPeer(complete: (options?: CallOptions) => CallOptions | undefined): unknown {
    const contract = this.#contract;
    return createPeer(this.#methods, {
      call: (method, given, options) =>
        this.#run(method.kind, method.name, given, (params) =>
          this.#call(method, params, method.kind === "request" ? complete(options) : options),
        ),
      callByName: (kind, callee, given, options) =>
        this.#run(kind, typeof callee === "string" ? callee : callee.method, given, (params) =>
          this.#callByName(kind, callee, params, kind === "request" ? complete(options) : options),
        ),
      isOpen: (method) =>
        contract.handshake !== undefined && contract.gates.missing(method) === undefined,
    });
  }

  /** Runs a call, through the intercept function if there is one. */
  #run(
    kind: MethodDescriptor["kind"],
    method: string,
    params: unknown,
    proceed: (params: unknown) => Promise<unknown>,
  ): Promise<unknown> {
    const { intercept } = this.#contract.role;
    if (intercept === undefined) return proceed(params);
    return interceptCall(intercept, { kind, method, params }, proceed);
  }

  #call(method: MethodDescriptor, given: unknown, options?: CallOptions): Promise<unknown> {
    const { name, kind } = method;
    const { role, gates, handshake } = this.#contract;
    const isGated = options?.ignoreCapabilities !== true;
    let params = given;
    try {
      if (handshake === undefined) throw new NotInitializedError(name);
      if (isGated) this.#contract.checkGate(method);
      const prepare = role.prepare?.[name];
      if (prepare !== undefined)
        params = prepare(given, role.role === "agent" ? handshake.request : handshake.response);
      this.#contract.check(method, "params", params, isGated);
      // Gates that depend on the params come last, because the params must be checked before they
      // are read.
      const issue = isGated ? this.#connection.sessions?.findIssue?.(method, params) : undefined;
      if (issue !== undefined) throw new InvalidValueError(method.params, [issue], name);
      if (isGated) {
        this.#contract.checkGate(method, params);
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
    const { role, gates } = this.#contract;
    const abort = this.#abortOf(method, params);
    const { turns, updates, sessions } = this.#connection;
    const { onResult, onRefused } = (options ?? {}) as AnsweredOptions;
    let mayRepeat =
      role.onAuthRequired !== undefined && !hasTrait(method, "changes-authentication");
    const send = (): Promise<unknown> => {
      const isPrompt = hasTrait(method, "starts-turn") && !options?.signal?.aborted;
      const answered = isPrompt ? turns?.prompt(params) : undefined;
      const refuse = (error: RpcError): unknown => {
        if (!mayRepeat || !(error instanceof AuthRequiredError)) onRefused?.();
        const wasCancelled = answered?.(false) ?? false;
        const { cancelledResult } = method;
        if (!wasCancelled || cancelledResult === undefined) return undefined;
        // Some agents answer a cancelled prompt with an error.
        role.report(error, { method: method.name });
        onResult?.(cancelledResult);
        return cancelledResult;
      };
      const call = this.#connection.request(method.name, params, options, {
        ...(abort && { abort }),
        ...((answered ?? onRefused) && { refuse }),
        ...(hasAnyTrait(method, CREATING) && { late: (result) => this.#release(result) }),
        accept: (result) => {
          answered?.(true);
          const decoded = this.#contract.decode(method, "result", result);
          const unfit = findUnfitContent(params, decoded);
          if (unfit !== undefined) throw receivedResultError(method.name, [unfit]);
          const unavailable = this.#contract.findUnavailable(method, "result", decoded);
          if (unavailable !== undefined) role.report(unavailable, { method: method.name });
          gates.learn(method, params, decoded);
          turns?.answered(method, params);
          sessions?.answered?.(method, params, decoded);
          onResult?.(decoded);
          return decoded;
        },
      });
      if (answered === undefined) return call;
      // A call may also end without an answer.
      return call.catch((error: unknown) => {
        answered(false);
        throw error;
      });
    };
    // A turn waits for the handlers of its updates itself.
    const call =
      updates !== undefined && onResult === undefined && hasAnyTrait(method, FOLLOWING_UPDATES)
        ? afterUpdates(send, updates, params)
        : send;
    if (!mayRepeat) return call();
    const before = this.#authentications;
    return call().catch(async (error: unknown) => {
      if (!(error instanceof AuthRequiredError)) throw error;
      // The client may have authenticated for another call meanwhile.
      if (this.#authentications === before && !(await this.#authenticate(error, method.name)))
        throw error;
      mayRepeat = false;
      return call();
    });
  }

  /** Closes a session whose creator has gone before the answer. */
  #release(result: unknown): void {
    // The method that deletes sessions takes closed ones as well.
    const close = this.#methods.find(
      (method) =>
        method.kind === "request" &&
        hasTrait(method, "ends-session") &&
        !hasTrait(method, "accepts-closed-session"),
    );
    if (close === undefined || !isRecord(result)) return;
    this.#call(close, { sessionId: result["sessionId"] }).catch((error: unknown) => {
      // Many agents cannot close sessions.
      if (!isInstance(error, CapabilityError))
        this.#contract.role.report(error, { method: close.name });
    });
  }

  /** Returns what an aborted signal does to a prompt: it sends `session/cancel`. */
  #abortOf(method: MethodDescriptor, params: unknown): (() => void) | undefined {
    const cancel = hasTrait(method, "starts-turn")
      ? findMethod(this.#methods, "cancels-turn", "notification")
      : undefined;
    if (cancel === undefined || !isRecord(params)) return undefined;
    const report = (error: unknown): void =>
      this.#contract.role.report(error, { method: cancel.name });
    const given = { sessionId: params["sessionId"] };
    return () =>
      void this.#run(cancel.kind, cancel.name, given, (sent) => this.#call(cancel, sent)).catch(
        report,
      );
  }

  /** Runs `onAuthRequired` once for all calls that fail while it runs. */
  #authenticate(error: AuthRequiredError, method: string): Promise<boolean> {
    const ask = async (): Promise<boolean> => {
      const context = { method, agent: this.peer };
      const hasAuthenticated = await this.#contract.role.onAuthRequired!(error, context);
      if (hasAuthenticated) this.#authentications++;
      return hasAuthenticated;
    };
    return (this.#authentication ??= ask().finally(() => (this.#authentication = undefined)));
  }

  #callByName(
    kind: MethodDescriptor["kind"],
    callee: Callee,
    params: unknown,
    options?: CallOptions,
  ): Promise<unknown> {
    if (typeof callee !== "string") return this.#callExtension(callee, params, options);
    const { role, checkOutgoing = true } = this.#contract.role;
    const side = role === "agent" ? "client" : "agent";
    const method = this.#contract.find(callee, kind, side);
    if (method !== undefined) return this.#call(method, params, options);
    if (callee.startsWith("_") || !checkOutgoing) return this.#send(kind, callee, params, options);
    const define = kind === "request" ? "defineRequest" : "defineNotification";
    const text = `${sentences.notHandled(callee, kind, side, "")}; to send it nevertheless, pass ${define}({ method: ${JSON.stringify(callee)} })`;
    return Promise.reject(new TypeError(text));
  }

  #callExtension(
    extension: AnyExtension,
    params: unknown,
    options?: CallOptions,
  ): Promise<unknown> {
    const { handshake, role } = this.#contract;
    const { method, kind } = extension;
    if (handshake === undefined) return Promise.reject(new NotInitializedError(method));
    if (role.methods.some(({ name }) => name === method))
      return Promise.reject(
        new TypeError(`${method} is a method of the protocol; call it by name`),
      );
    const theirs = role.role === "agent" ? handshake.request : handshake.response;
    const field = role.role === "agent" ? role.capabilities.client : role.capabilities.agent;
    const side = role.role === "agent" ? "client" : "agent";
    const missing = missingMark(extension, isRecord(theirs) ? theirs[field] : undefined);
    if (missing !== undefined && options?.ignoreCapabilities !== true)
      return Promise.reject(notSent(method, `${field}.${missing}`, side));
    try {
      if (role.checkOutgoing !== false) checkExtension(extension, "params", params);
    } catch (error) {
      return Promise.reject(error);
    }
    if (kind === "notification") return this.#send(kind, method, params);
    return this.#send(kind, method, params, options, (result) => {
      const decoded = decodeExtension(extension, "result", result);
      if (decoded.ok) {
        this.#contract.note(decoded.notes, method);
        return decoded.value;
      }
      throw receivedResultError(method, decoded.issues);
    });
  }

  #send(
    kind: MethodDescriptor["kind"],
    method: string,
    params: unknown,
    options?: CallOptions,
    accept?: (result: unknown) => unknown,
  ): Promise<unknown> {
    const { handshake, role } = this.#contract;
    if (handshake === undefined && role.checkOutgoing !== false)
      return Promise.reject(new NotInitializedError(method));
    return kind === "request"
      ? this.#connection.request(method, params, options, accept && { accept })
      : this.#connection.notify(method, params);
  }
}

/** Makes a call return after the handlers of the updates that it has caused. */
function afterUpdates(
  send: () => Promise<unknown>,
  updates: HandledUpdates,
  params: unknown,
): () => Promise<unknown> {
  const { sessionId } = params as { readonly sessionId: string };
  return async () => {
    const { mark } = updates;
    try {
      return await send();
    } finally {
      await updates.ended(sessionId, mark);
    }
  };
}
