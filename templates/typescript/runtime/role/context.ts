import { isRecord, type NotificationMessage, type RequestMessage } from "../rpc/messages.js";
import type { Cancellation, RequestState } from "../rpc/inbound-requests.js";
import type { HandlerContext } from "./role.js";
import type { ConnectionSessions } from "../session/link.js";

/** The source of a handler's abort signal; that of a request also says whether it was answered. */
export type SignalSource = Pick<Cancellation, "signal"> & Partial<Pick<RequestState, "isAnswered">>;

/** The source of a context: the state of a request, or the signal of a notification. */
export type ContextSource = SignalSource & Partial<Pick<RequestState, "afterResponse">>;

/** The parts of a connection that its contexts share. */
export interface ContextFacts {
  /** The name of the other side in contexts. */
  readonly other: "agent" | "client";
  /** The other side, as handlers of notifications call it. */
  readonly peer: unknown;
  /** Returns the other side with calls that inherit a signal. */
  readonly inheriting: (source: SignalSource) => unknown;
  readonly handshake: unknown;
  readonly supports: (path: string) => boolean;
  readonly sessions?: ConnectionSessions | undefined;
}

/**
 * Creates the context of one call of a handler. The other side is its `client` for handlers of an
 * agent, and its `agent` for those of a client.
 *
 * @param source has the handler's signal, which calls in the handler of a request inherit
 */
export function createContext(
  facts: ContextFacts,
  message: RequestMessage | NotificationMessage,
  params: unknown,
  source: ContextSource,
): HandlerContext {
  return "id" in message
    ? requestContext(facts, message, params, source)
    : notificationContext(facts, message, params, source);
}

/** Creates object literals, because spreading would cost as much as the rest of handling a message. */
function notificationContext(
  facts: ContextFacts,
  { method }: NotificationMessage,
  params: unknown,
  source: ContextSource,
): HandlerContext {
  const { other, peer, handshake, supports } = facts;
  const { signal } = source;
  const sessionId = sessionOf(params);
  if (sessionId === undefined) return { method, signal, handshake, supports, [other]: peer };
  const context = { method, signal, handshake, supports, sessionId, [other]: peer };
  const session = facts.sessions?.of(sessionId, source, method, params);
  return session === undefined ? context : Object.assign(context, { session });
}

/** The signal, the calls that inherit it and the session are created on first use. */
function requestContext(
  facts: ContextFacts,
  { method, id }: RequestMessage,
  params: unknown,
  source: ContextSource,
): HandlerContext {
  const { other, inheriting, handshake, supports } = facts;
  const sessionId = sessionOf(params);
  let calls: unknown;
  const context = {
    get [other]() {
      return (calls ??= inheriting(source));
    },
    method,
    get signal() {
      return source.signal;
    },
    handshake,
    supports,
    requestId: id,
    afterResponse: (run: () => unknown) => source.afterResponse?.(run),
    ...(sessionId !== undefined && { sessionId }),
  };
  if (sessionId === undefined) return context;
  let session: object | undefined;
  const get = (): unknown => (session ??= facts.sessions?.of(sessionId, source, method, params));
  return Object.defineProperty(context, "session", { enumerable: true, get });
}

function sessionOf(params: unknown): string | undefined {
  const sessionId = isRecord(params) ? params["sessionId"] : undefined;
  return typeof sessionId === "string" ? sessionId : undefined;
}
