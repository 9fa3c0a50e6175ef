import { findInitialize, hasTrait, INITIALIZE } from "../find-method.js";
import { InvalidValueError } from "../validate/encode.js";
import {
  CapabilityError,
  earlyNotification,
  ErrorCodes,
  MissingIdError,
  RpcError,
  sentWithId,
} from "../rpc/errors.js";
import {
  firstMessageError,
  gatedPointer,
  messageError,
  type PeerContract,
} from "./peer-contract.js";
import { CODE, type HandledExtension } from "./extensions/extension.js";
import type { HandledMethod } from "./options/handlers.js";
import { isRecord, type NotificationMessage, type RequestMessage } from "../rpc/messages.js";
import {
  createContext,
  type ContextFacts,
  type ContextSource,
  type SignalSource,
} from "./context.js";
import type { HandlerContext } from "./role.js";
import type { ConnectionSessions, ResumedSessions } from "../session/link.js";
import type { SessionTree } from "../session/session-tree.js";
import type { CheckingReceiver } from "../rpc/intercept.js";
import {
  whenDone,
  type CancelledBy,
  type CancelledResult,
  type RequestState,
} from "../rpc/inbound-requests.js";
import type { CancelledTurns } from "./cancelled-turns.js";
import { findWrongItem } from "./outgoing-rules.js";
import type { UpdateHandlers } from "./update-handlers.js";
import { BusySessions } from "./while-busy.js";
import { findUnfitContent } from "../conformance/elicitation.js";
import { cancelledResult } from "./prompt-cancellation.js";
import * as sentences from "../sentences.js";
import { filterAdvertised } from "../gates/filter-advertised.js";

/** The longest method name in an error that is sent to the peer, in characters. */
const NAME_LIMIT = 200;

const NOT_FOUND: Partial<HandledMethod> = {};

/** The parts of a connection that the dispatcher needs. */
export interface DispatcherConnection {
  /** The other side, as handlers of notifications call it. */
  readonly peer: unknown;
  /** Returns the other side with calls that inherit the signal of a request. */
  readonly inheriting: (source: SignalSource) => unknown;
  /** Cancels the prompt of a session after `session/cancel` was received, or a request that closes it. */
  readonly cancelPrompt: (params: unknown, isClosing?: boolean) => void;
  /** The sessions and their subagents, as updates report them. */
  readonly tree: SessionTree;
  /** The cancelled turns of a client. */
  readonly turns?: CancelledTurns | undefined;
  /** The handlers of updates that a client receives. */
  readonly updates?: UpdateHandlers | undefined;
  /** The resumptions of sessions that an agent handles. */
  readonly resumptions?: ResumedSessions | undefined;
  readonly sessions?: ConnectionSessions | undefined;
}

/** Dispatches incoming messages to the handlers of a role, and answers the handshake for an agent. */
export class Dispatcher implements CheckingReceiver {
  readonly #contract: PeerContract;
  readonly #connection: DispatcherConnection;
  readonly #facts: ContextFacts;
  /** Absent when prompts of a session run in parallel. */
  readonly #busy: BusySessions | undefined;
  #isUsed = false;

  constructor(contract: PeerContract, connection: DispatcherConnection) {
    const { role, gates } = contract;
    const other = role.role === "agent" ? "client" : "agent";
    this.#contract = contract;
    this.#connection = connection;
    const { whileBusy = "parallel" } = role;
    if (whileBusy !== "parallel")
      this.#busy = new BusySessions(
        whileBusy,
        (sessionId) => connection.sessions?.hasTurn?.(sessionId) === true,
      );
    this.#facts = {
      other,
      peer: connection.peer,
      inheriting: connection.inheriting,
      get handshake() {
        return contract.handshake;
      },
      supports: (path) => gates.supports(path, other),
      get sessions() {
        return connection.sessions;
      },
    };
  }

  request(message: RequestMessage, state: RequestState): unknown {
    const { role } = this.#contract;
    const { method: name, params } = message;
    if (name === INITIALIZE && role.role === "agent") return this.#initialize(params);
    // A program that sends back what it receives gets the answer to its own call, and so does the user.
    if (this.#contract.handshake === undefined)
      throw new RpcError(
        ErrorCodes.InvalidRequest,
        name === INITIALIZE ? sentences.initializeReturned : sentences.initializeFirst,
      );
    this.#isUsed = true;
    const extension = role.extensionTable.request.get(name);
    if (extension !== undefined)
      return whenDone(this.#runExtension(extension, message, state), (result) =>
        this.checkResult(name, result),
      );
    const { method, handler } = this.#find(role.table.request, name);
    if (method === undefined) this.#refuseNotification(message, state);
    if (method === undefined || handler === undefined)
      throw RpcError.methodNotFound(sentences.unknownMethod(name.slice(0, NAME_LIMIT)));
    const decoded = this.#contract.decode(method, "params", params ?? {});
    if (this.#contract.gates.missing(method, decoded) !== undefined)
      throw messageError(name, "params", gatedPointer(method), "capability");
    const unavailable = this.#contract.findUnavailable(method, "params", decoded);
    if (unavailable !== undefined)
      throw messageError(name, "params", unavailable.pointer, "capability");
    const wrong = findWrongItem(decoded, role.protocolVersion);
    if (wrong !== undefined) throw firstMessageError(name, "params", [wrong]);
    this.#contract.gates.learn(method, decoded);
    const finish = (given: unknown): unknown => {
      const result = this.checkResult(name, given ?? {}, decoded);
      this.#contract.gates.learn(method, decoded, result);
      this.#connection.sessions?.retries?.handled(method, decoded);
      return result;
    };
    const handle = (): unknown => handler(decoded, this.#context(message, decoded, state));
    const isPrompt = this.#busy !== undefined && hasTrait(method, "starts-turn");
    const run = isPrompt ? () => this.#busy!.run(decoded, state, handle) : handle;
    // Closing a session cancels its work (session setup, closing sessions).
    if (hasTrait(method, "cancels-turn")) this.#cancelPrompts(decoded, true);
    const ready = this.#connection.sessions?.received(method, decoded);
    const answer = this.#connection.turns?.answerTo(method, decoded);
    if (answer !== undefined) return finish(answer);
    const complete = (): unknown => whenDone(ready === undefined ? run() : ready.then(run), finish);
    const { resumptions, sessions } = this.#connection;
    if (sessions?.retries !== undefined && hasTrait(method, "starts-turn")) {
      const inserted = sessions.retries.run(decoded, state, complete);
      return whenDone(inserted, (result) => resumptions?.answer(decoded, result) ?? result);
    }
    return resumptions !== undefined && hasTrait(method, "resumes-session")
      ? resumptions.run(decoded, state, complete)
      : complete();
  }

  notification(message: NotificationMessage, signal: AbortSignal): unknown {
    const { role, gates, handshake } = this.#contract;
    const { method: name, params } = message;
    if (handshake === undefined)
      throw this.#lacksId(name) ? new MissingIdError(name) : earlyNotification(name);
    const extension = role.extensionTable.notification.get(name);
    if (extension !== undefined) return this.#runExtension(extension, message, { signal });
    const { method, handler } = this.#find(role.table.notification, name);
    if (method === undefined) {
      if (this.#lacksId(name)) throw new MissingIdError(name);
      return;
    }
    const decoded = this.#contract.decode(method, "params", params ?? {});
    const unavailable = this.#contract.findUnavailable(method, "params", decoded);
    if (unavailable !== undefined) role.report(unavailable, { method: name });
    gates.learn(method, decoded);
    const isUpdate = hasTrait(method, "updates-session");
    if (isUpdate) {
      this.#connection.tree.update(decoded);
      this.#connection.turns?.update(decoded);
    } else if (hasTrait(method, "cancels-turn")) this.#cancelPrompts(decoded);
    void this.#connection.sessions?.received(method, decoded);
    if (handler === undefined) return;
    const context = this.#context(message, decoded, { signal });
    const { updates } = this.#connection;
    return isUpdate && updates !== undefined
      ? updates.run(handler, decoded, context)
      : handler(decoded, context);
  }

  #cancelPrompts(params: unknown, isClosing = false): void {
    this.#connection.cancelPrompt(params, isClosing);
    this.#busy?.cancel(params);
  }

  /**
   * Returns a result if it may be sent.
   *
   * @param params those of the request; undefined leaves out what depends on them
   * @throws RpcError for the peer when it may not; the reason is reported
   */
  checkResult(name: string, result: unknown, params?: unknown): unknown {
    const { role } = this.#contract;
    const extension = role.extensionTable.request.get(name)?.extension;
    const method = role.table.request.get(name)?.method;
    try {
      if (extension !== undefined) {
        if (role.checkOutgoing !== false) extension[CODE].check(extension, "result", result);
      } else if (method !== undefined) {
        this.#contract.check(method, "result", result);
        const issue = role.checkOutgoing !== false && findUnfitContent(params, result);
        if (issue) throw new InvalidValueError(method.result!, [issue], name);
      }
    } catch (error) {
      role.report(error, { method: name });
      throw resultError(name, role.role, error);
    }
    return result;
  }

  cancelled(method: string, by: CancelledBy): CancelledResult | undefined {
    return cancelledResult(this.#contract.role.table.request.get(method)?.method, by);
  }

  /**
   * Handles `initialize` for an agent: answers with the version that the agent supports. Version
   * 1 allows repeating it at any time, later versions only before the first other request.
   */
  #initialize(params: unknown): unknown {
    const { role } = this.#contract;
    if (this.#isUsed && role.protocolVersion > 1)
      throw new RpcError(ErrorCodes.InvalidRequest, sentences.initializeFirst);
    const method = findInitialize(role.methods)!;
    this.#refuseOlder(params);
    const request = this.#contract.decode(method, "params", params ?? {});
    const adapted = role.adapt?.(role.advertised, request) ?? role.advertised;
    const advertised = filterAdvertised(adapted, role.methods, request);
    const response = { protocolVersion: role.protocolVersion, ...advertised };
    this.#contract.agree(request, response);
    return response;
  }

  /**
   * Rejects a requested version that is older than the agent's: in version 2, the agent answers
   * with a version that does not exceed the requested one, or fails. An agent of version 1 always
   * answers with its own version.
   */
  #refuseOlder(params: unknown): void {
    const requested = isRecord(params) ? params["protocolVersion"] : undefined;
    const { protocolVersion } = this.#contract.role;
    if (!Number.isInteger(requested) || (requested as number) >= protocolVersion) return;
    if (protocolVersion === 1) return;
    throw new RpcError(ErrorCodes.UnsupportedProtocolVersion, sentences.unsupportedVersion, {
      requested,
      supported: [protocolVersion],
    });
  }

  /**
   * Refuses a notification that was sent with an id. A cancellation has its effect nevertheless:
   * who sends it wants the work to end.
   *
   * @throws RpcError for a notification that this side handles
   */
  #refuseNotification({ method: name, params }: RequestMessage, { signal }: RequestState): void {
    const { role } = this.#contract;
    const { method } = this.#find(role.table.notification, name);
    if (method === undefined) return;
    if (hasTrait(method, "cancels-turn")) {
      const report = (error: unknown): void => role.report(error, { method: name });
      const message = { jsonrpc: "2.0", method: name, params } as const;
      void whenDone(this.notification(message, signal), () => undefined, report);
    }
    throw sentWithId(name);
  }

  #lacksId(name: string): boolean {
    const { request, notification } = this.#contract.role.table;
    return request.has(name) && !notification.has(name);
  }

  /** Returns the method with its handler; empty when it is unknown or its gate is closed. */
  #find(table: ReadonlyMap<string, HandledMethod>, name: string): Partial<HandledMethod> {
    const found = table.get(name);
    const isOpen = found !== undefined && this.#contract.gates.missing(found.method) === undefined;
    return isOpen ? found : NOT_FOUND;
  }

  #runExtension(
    { extension, handler }: HandledExtension<never>,
    message: RequestMessage | NotificationMessage,
    source: ContextSource,
  ): unknown {
    const { method } = message;
    const decoded = extension[CODE].decode(extension, "params", message.params);
    if (!decoded.ok) throw firstMessageError(method, "params", decoded.issues);
    this.#contract.note(decoded.notes, method);
    return handler(decoded.value, this.#context(message, message.params, source) as never);
  }

  #context(
    message: RequestMessage | NotificationMessage,
    params: unknown,
    source: ContextSource,
  ): HandlerContext {
    return createContext(this.#facts, message, params, source);
  }
}

/** Returns the error for the peer when a handler's result must not be sent. */
function resultError(method: string, role: "agent" | "client", error: unknown): RpcError {
  const part = `result of the ${role}` as const;
  if (error instanceof CapabilityError)
    return messageError(method, part, error.pointer, "capability");
  return firstMessageError(method, part, error instanceof InvalidValueError ? error.issues : []);
}
