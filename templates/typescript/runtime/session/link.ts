import type { NotifyOptions } from "../rpc/outbound-requests.js";
import type { Report, RequestState } from "../rpc/inbound-requests.js";
import type { RunningHandlers } from "../rpc/running-handlers.js";
import type { MethodDescriptor } from "../methods.js";
import type { Issue } from "../validate/decode-result.js";
import type { BoundMethods } from "./bound-peer.js";
import type { SessionMethods } from "./session-methods.js";
import type { SessionTree } from "./session-tree.js";

/** The parts of a connection that its sessions need. */
export interface SessionLink extends BoundMethods {
  /** The names of the methods that sessions call. */
  readonly names: SessionMethods;
  readonly peer: NamedPeer;
  /** Remembers prompts that may be sent again, for an agent that has it (version 2). */
  readonly store?: PromptMessages | undefined;
  readonly report: Report;
  /** The time that cancelled work has to end, in milliseconds. */
  readonly cancelGraceMs: number;
  /** The sessions and their subagents, as updates report them. */
  readonly tree: SessionTree;
  /** Absent where no updates are received. */
  readonly updates?: HandledUpdates | undefined;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** What runs for the other side, for which the end of the connection waits. */
  readonly handlers: RunningHandlers;
  /** Why the connection has ended; undefined while it is open and after a regular end. */
  readonly endReason: unknown;
}

/** Remembers the messages of prompts with a key, with their sessions. */
export interface PromptMessages {
  /** Returns the id of the message that the prompt with a key has inserted into an open session. */
  findMessage(sessionId: string, key: string): string | undefined;
  /** Remembers a message as long as its session. */
  keepMessage(sessionId: string, key: string, messageId: string): void;
}

/** The requests that resume sessions of an agent, while they are not answered (version 2). */
export interface ResumedSessions {
  /** Handles a request and returns its result once the state of the session was sent. */
  run(
    params: unknown,
    request: Pick<RequestState, "whenAnswered">,
    handle: () => unknown,
  ): Promise<unknown>;
  /** Sends an update, or holds it while the history of its session is sent. */
  send(params: unknown, notify: () => Promise<void>): Promise<void>;
  /** Returns the answer to a prompt, which follows its message when that is held. */
  answer(params: unknown, result: unknown): unknown;
}

/** The prompts of an agent that clients may send again (version 2). */
export interface RepeatedPrompts {
  /** Handles a prompt, unless it is a retry. */
  run(
    params: unknown,
    request: Pick<RequestState, "afterResponse">,
    handle: () => unknown,
  ): unknown;
  /** Takes a method that was handled. */
  handled(method: MethodDescriptor, params: unknown): void;
}

/** The handlers of session updates, for calls that return after them. */
export interface HandledUpdates {
  /** Marks the handlers that have started so far. */
  readonly mark: number;
  /**
   * Returns whether the caller is, or is called by, a handler of a session that has started after a
   * mark and has not ended. Where the platform cannot tell, any such handler may be the caller.
   */
  mayBeInside(sessionId: string, since: number): boolean;
  /**
   * Waits for the running handlers of a session that have started after a mark.
   *
   * @returns undefined if there are none
   */
  ended(sessionId: string, since: number): Promise<void> | undefined;
}

/** The other side, as far as methods are called by name. */
export interface NamedPeer {
  request(method: string, params: object, options?: AnsweredOptions): Promise<unknown>;
  notify(method: string, params: object, options?: NotifyOptions): Promise<void>;
}

/** Options of a call that also says when it was answered. */
export interface AnsweredOptions extends NotifyOptions {
  readonly signal?: AbortSignal | null | undefined;
  /** Called with the decoded result before the next message is processed. */
  readonly onResult?: (result: unknown) => void;
  /**
   * Called when the other side has answered with an error, before the next message is processed,
   * unless the call may be sent again after a login.
   */
  readonly onRefused?: () => void;
  /** Whether the call is sent again after a login; by default, it is. */
  readonly mayRepeat?: boolean;
}

/** The sessions of one connection, as its role uses them. */
export interface ConnectionSessions {
  /** Members of the connection for its user. */
  readonly members: object;
  /**
   * Returns the session for the context of a handler.
   *
   * @param source creates the handler's signal on first use, and tells whether the request that is
   *   handled was answered
   */
  of(
    id: string,
    source: { readonly signal: AbortSignal; readonly isAnswered?: boolean },
    method: string,
    params: unknown,
  ): object | undefined;
  /**
   * Called with each incoming message before its handler.
   *
   * @returns a promise that the handler has to wait for, if any
   */
  received(method: MethodDescriptor, params: unknown): Promise<unknown> | undefined;
  /** Returns whether a session has a turn whose prompt was answered (version 2). */
  hasTurn?(sessionId: string): boolean;
  /** Absent where no session is resumed, and where no message follows an answer. */
  readonly resumptions?: ResumedSessions;
  readonly retries?: RepeatedPrompts;
  /**
   * Returns what is wrong with the params of a call of this side, as far as the sessions know.
   */
  findIssue?(method: MethodDescriptor, params: unknown): Issue | undefined;
  /** Called when this side cancels the work of a session. */
  cancelled?(params: unknown): void;
  /** Called with the decoded result of a call of this side, before the next message is processed. */
  answered?(method: MethodDescriptor, params: unknown, result: unknown): void;
}

/** Creates the sessions of a connection. */
export type CreateSessions = (link: SessionLink) => ConnectionSessions;
