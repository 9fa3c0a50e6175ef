import type { RequestId } from "../../../../templates/typescript/runtime/rpc/messages.js";
import type { Receiver } from "../../../../templates/typescript/runtime/rpc/inbound-requests.js";

interface Context {
  readonly signal: AbortSignal;
  readonly requestId?: RequestId;
}

/** The responses of a test, by method and params. */
export interface Answers {
  request?(method: string, params: unknown, context: Context): unknown;
  notification?(method: string, params: unknown, context: Context): Promise<void> | void;
  readonly cancelled?: NonNullable<Receiver["cancelled"]>;
}

/** A receiver that answers requests with an empty result unless a test says otherwise. */
export function createReceiver(answers: Answers = {}): Receiver {
  return {
    request: ({ id, method, params }, { signal }) =>
      answers.request === undefined
        ? {}
        : answers.request(method, params, { signal, requestId: id }),
    notification: ({ method, params }, signal) =>
      answers.notification?.(method, params, { signal }),
    ...(answers.cancelled && { cancelled: answers.cancelled }),
  };
}
