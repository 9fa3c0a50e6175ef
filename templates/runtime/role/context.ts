import { isRecord, type NotificationMessage, type RequestMessage } from "../rpc/messages.js";
import type { Cancellation } from "../rpc/inbound-requests.js";
import type { HandlerContext } from "./role.js";

/** The source of a handler's abort signal. */
export type SignalSource = Pick<Cancellation, "signal">;

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
}

/**
 * Creates the context of one call of a handler. The other side is its `client` for handlers of an
 * agent, and its `agent` for those of a client.
 *
 * @param source the source of the handler's signal, which calls in the handler of a request inherit
 */
export function createContext(
  facts: ContextFacts,
  message: RequestMessage | NotificationMessage,
  params: unknown,
  source: SignalSource,
): HandlerContext {
  const sessionId = isRecord(params) ? params["sessionId"] : undefined;
  const session = typeof sessionId === "string" ? { sessionId } : undefined;
  return "id" in message
    ? requestContext(facts, message, source, session)
    : notificationContext(facts, message, source, session);
}

type Session = { readonly sessionId: string } | undefined;

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
  return session === undefined ? context : Object.assign(context, session);
}

/** The signal and the calls that inherit it are created on first use. */
function requestContext(
  { other, inheriting, handshake, supports }: ContextFacts,
  { method, id }: RequestMessage,
  source: SignalSource,
  session: Session,
): HandlerContext {
  let calls: unknown;
  return {
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
    ...session,
  };
}
