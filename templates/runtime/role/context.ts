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
  const sessionId = isRecord(params) ? params["sessionId"] : undefined;
  const session =
    typeof sessionId === "string"
      ? { sessionId, create: () => facts.sessions?.of(sessionId, source, message.method, params) }
      : undefined;
  return "id" in message
    ? requestContext(facts, message, source, session)
    : notificationContext(facts, message, source, session);
}

type Session =
  { readonly sessionId: string; readonly create: () => object | undefined } | undefined;

/** Creates object literals, because spreading would cost as much as the rest of handling a message. */
function notificationContext(
  { other, peer, handshake, supports }: ContextFacts,
  { method }: NotificationMessage,
  { signal }: SignalSource,
  session: Session,
): HandlerContext {
  const context =
    other === "client"
      ? { client: peer, method, signal, handshake, supports }
      : { agent: peer, method, signal, handshake, supports };
  if (session === undefined) return context;
  const { sessionId } = session;
  const created = session.create();
  return Object.assign(context, created ? { sessionId, session: created } : { sessionId });
}

/** The signal, the calls that inherit it and the session are created on first use. */
function requestContext(
  { other, inheriting, handshake, supports }: ContextFacts,
  { method, id }: RequestMessage,
  source: ContextSource,
  session: Session,
): HandlerContext {
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
    ...(session && { sessionId: session.sessionId }),
  };
  if (session === undefined) return context;
  let created: object | undefined;
  const get = (): unknown => (created ??= session.create());
  return Object.defineProperty(context, "session", { enumerable: true, get });
}
