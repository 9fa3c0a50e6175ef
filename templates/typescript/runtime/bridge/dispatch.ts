import { ErrorCodes } from "../rpc/errors.js";
import {
  classify,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
} from "../rpc/messages.js";
import type { Relay } from "./relay.js";
import { otherSide, type Side } from "./sides.js";

/** Handlers of one side's messages, by method; all others are passed on. */
export interface Handlers {
  readonly requests: { readonly [method: string]: (message: RequestMessage) => void };
  readonly notifications: { readonly [method: string]: (message: NotificationMessage) => void };
}

const MALFORMED = { code: ErrorCodes.InternalError, message: "The response is malformed" };

/**
 * Gives a message to its handler, or passes it on. A message that cannot be handled, such as one
 * that is nested too deeply, is refused.
 */
export function dispatch(relay: Relay, from: Side, handlers: Handlers, value: unknown): void {
  const incoming = classify(value, true);
  try {
    handle(relay, from, handlers, incoming);
  } catch {
    if (incoming.kind !== "request" && incoming.kind !== "notification") return;
    const { method, params } = incoming.message;
    if (incoming.kind === "notification") return relay.loseMessage(otherSide(from), method, params);
    const { id } = incoming.message;
    relay.refuse(from, id, ErrorCodes.InvalidParams, `The params of ${method} cannot be converted`);
  }
}

function handle(
  relay: Relay,
  from: Side,
  handlers: Handlers,
  incoming: ReturnType<typeof classify>,
): void {
  switch (incoming.kind) {
    case "request": {
      const { message } = incoming;
      const handler = own(handlers.requests, message.method);
      if (handler === undefined) relay.passRequest(from, message);
      else handler(message);
      return;
    }
    case "notification": {
      const { message } = incoming;
      if (
        message.method === "$/cancel_request" &&
        !Object.hasOwn(handlers.notifications, message.method)
      )
        return relay.passCancellation(from, message);
      const handler = own(handlers.notifications, message.method);
      return handler === undefined ? relay.passNotification(from, message) : handler(message);
    }
    case "response":
      return relay.takeResponse(from, incoming.message);
    case "broken-response":
      return relay.takeResponse(from, {
        id: incoming.id as RequestId,
        ...(incoming.isEmpty ? { result: null } : { error: MALFORMED }),
      });
    case "ambiguous":
      return;
    case "invalid":
      return relay.refuse(from, incoming.id, ErrorCodes.InvalidRequest, "Invalid request");
    default:
      return incoming satisfies never;
  }
}

function own<T>(handlers: { readonly [method: string]: T }, method: string): T | undefined {
  return Object.hasOwn(handlers, method) ? handlers[method] : undefined;
}
