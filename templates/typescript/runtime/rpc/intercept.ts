import { AcpError, isInstance } from "../acp-error.js";
import { ConnectionClosedError } from "./errors.js";
import { whenDone, type Receiver } from "./inbound-requests.js";
import { isRecord, type NotificationMessage, type RequestId } from "./messages.js";

/** A call on its way: a request or a notification, of the other side or of this side. */
export interface InterceptedCall {
  /** `incoming` for a call of the other side, `outgoing` for a call of this side. */
  readonly direction: "incoming" | "outgoing";
  readonly kind: "request" | "notification";
  readonly method: string;
  /** Incoming params as they were received, or outgoing ones as they were given: not checked yet. */
  readonly params: unknown;
  /** The session that the params name, if any. */
  readonly sessionId?: string;
  /** The id of an incoming request. */
  readonly requestId?: RequestId;
}

/**
 * A function around every call in both directions, for logs, metrics and traces.
 *
 * It calls `next` to continue, optionally with other params, and returns the result. When it
 * returns undefined, the result or the error of `next` stands, so that a function that only
 * observes cannot lose either. Without `next`, the call ends there: its value is the result, and a
 * notification is dropped. An exception is the error of the call.
 *
 * `next` has to be called before the function awaits anything, since the messages behind a call do
 * not wait for it; it rejects when it is called later or twice.
 */
export type Intercept = (
  call: InterceptedCall,
  next: (changed?: { readonly params: unknown }) => Promise<unknown>,
) => unknown;

/**
 * Runs a call through an intercept function.
 *
 * @param proceed starts the call
 * @returns the result of the call, which the function may have replaced
 * @throws what the function throws
 */
function runIntercepted(
  intercept: Intercept,
  call: Omit<InterceptedCall, "sessionId">,
  proceed: (params: unknown) => unknown,
): unknown {
  const { params, method } = call;
  const sessionId = isRecord(params) ? params["sessionId"] : undefined;
  let passed: Promise<unknown> | undefined;
  let isOpen = true;
  const next = (changed: { readonly params: unknown } = call): Promise<unknown> => {
    const text = "intercept has to call next once, and before it awaits anything";
    if (!isOpen) return Promise.reject(new AcpError(text, method));
    isOpen = false;
    passed = new Promise((resolve) => resolve(proceed(changed.params)));
    // The function may ignore the promise; then the call itself passes the error on.
    passed.catch(() => {});
    return passed;
  };
  try {
    const given = intercept(typeof sessionId === "string" ? { ...call, sessionId } : call, next);
    return whenDone(given, (result) => (result === undefined ? passed : result));
  } finally {
    isOpen = false;
  }
}

/**
 * Runs a call of this side through an intercept function, which is started synchronously.
 *
 * A rejected notification need not be handled when the cause is the transport, as without an
 * intercept function.
 */
export function interceptCall(
  intercept: Intercept,
  call: Pick<InterceptedCall, "kind" | "method" | "params">,
  proceed: (params: unknown) => Promise<unknown>,
): Promise<unknown> {
  const result: Promise<unknown> = new Promise((resolve, reject) => {
    new Promise((settle) =>
      settle(runIntercepted(intercept, { direction: "outgoing", ...call }, proceed)),
    ).then(resolve, (error: unknown) => {
      const isMistake = isInstance(error, AcpError) && !isInstance(error, ConnectionClosedError);
      if (call.kind === "notification" && !isMistake) result.catch(() => {});
      reject(error);
    });
  });
  return result;
}

/** A receiver that can check the results which take the place of those of its handlers. */
export interface CheckingReceiver extends Receiver {
  /** Returns a result that may be sent. */
  checkResult(method: string, result: unknown): unknown;
}

/** Returns a receiver whose calls run through an intercept function. */
export function interceptReceiver(receiver: CheckingReceiver, intercept: Intercept): Receiver {
  const call = (message: NotificationMessage) =>
    ({ direction: "incoming", method: message.method, params: message.params }) as const;
  return {
    request: (message, state) => {
      let passed: unknown = NOTHING;
      const proceed = (params: unknown): unknown =>
        whenDone(receiver.request({ ...message, params }, state), (result) => (passed = result));
      const facts = { ...call(message), kind: "request", requestId: message.id } as const;
      return whenDone(runIntercepted(intercept, facts, proceed), (result) =>
        result === passed ? result : receiver.checkResult(message.method, result),
      );
    },
    notification: (message, signal) =>
      runIntercepted(intercept, { ...call(message), kind: "notification" }, (params) =>
        receiver.notification({ ...message, params }, signal),
      ),
    ...(receiver.cancelled && { cancelled: receiver.cancelled.bind(receiver) }),
  };
}

/** Differs from every result. */
const NOTHING = Symbol("nothing");
