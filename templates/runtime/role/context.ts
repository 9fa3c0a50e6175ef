import { isRecord, type NotificationMessage, type RequestMessage } from "../rpc/messages.js";
import type { Cancellation } from "../rpc/inbound-requests.js";
import type { HandlerContext } from "./role.js";

/** The source of a handler's abort signal. */
export type SignalSource = Pick<Cancellation, "signal">;

/** The parts of a connection that its contexts share. */
export interface ContextFacts {
  readonly role: "agent" | "client";
  /** The other side, as handlers call it. */
  readonly peer: unknown;
  readonly handshake: unknown;
}

/**
 * Creates the context of one call of a handler. The other side is its `client` for handlers of an
 * agent, and its `agent` for those of a client.
 */
export function createContext(
  { role, peer, handshake }: ContextFacts,
  message: RequestMessage | NotificationMessage,
  params: unknown,
  source: SignalSource,
): HandlerContext {
  const { method } = message;
  const sessionId = isRecord(params) ? params["sessionId"] : undefined;
  const isOfSession = typeof sessionId === "string";
  // Object literals, because spreading would cost as much as the rest of handling a message.
  if (!("id" in message)) {
    const { signal } = source;
    const context =
      role === "agent"
        ? { client: peer, method, signal, handshake }
        : { agent: peer, method, signal, handshake };
    return isOfSession ? Object.assign(context, { sessionId }) : context;
  }
  return {
    ...(role === "agent" ? { client: peer } : { agent: peer }),
    method,
    get signal() {
      return source.signal;
    },
    handshake,
    requestId: message.id,
    ...(isOfSession && { sessionId }),
  };
}
