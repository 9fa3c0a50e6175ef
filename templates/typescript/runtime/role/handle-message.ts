import { afterMicrotasks } from "../rpc/after-microtasks.js";
import { ErrorCodes, RpcError } from "../rpc/errors.js";
import { PeerContract } from "./peer-contract.js";
import { createSessions } from "./role-session.js";
import { SessionTree } from "../session/session-tree.js";
import { interceptReceiver } from "../rpc/intercept.js";
import { Dispatcher } from "./dispatcher.js";
import { classify, type ResponseMessage } from "../rpc/messages.js";
import { PeerClient } from "./peer-client.js";
import type { Handshake, Role } from "./role.js";
import { answer, Cancellation, failure, RequestState } from "../rpc/inbound-requests.js";
import { RunningHandlers } from "../rpc/running-handlers.js";

/** Options for a message that is handled without a connection. */
export interface HandleOptions<Handshake> {
  /** The messages of the handshake. Without it, the peer counts as having advertised no capabilities. */
  readonly handshake?: Handshake;
  readonly signal?: AbortSignal;
}

/**
 * Handles one message without a connection, for programs with their own transport. Params are
 * decoded, and gates and results checked, as on a connection. No state is kept between messages,
 * and nothing is sent besides: in version 2, the handler of `session/resume` reports the state.
 * The functions of `afterResponse` run after the caller has continued with the response, which it
 * has to send before it awaits anything else.
 *
 * @param message the parsed JSON
 * @param given the other side, as handlers receive it; without it, calls to it fail
 * @returns the response to send; undefined for notifications and responses
 */
export async function handleMessage<Peer>(
  role: Role<Peer>,
  message: unknown,
  { handshake, signal }: HandleOptions<Handshake<unknown, unknown>> = {},
  given?: Peer,
): Promise<ResponseMessage | undefined> {
  const contract = new PeerContract(role as Role<unknown>);
  const { protocolVersion, advertised } = role;
  const own = { protocolVersion, ...advertised };
  const [request, response] = role.role === "agent" ? [{}, own] : [own, {}];
  contract.agree(handshake?.request ?? request, handshake?.response ?? response);
  const refuse = (): Promise<never> =>
    Promise.reject(new Error("a message that comes without a connection has no peer to call"));
  const ignore = (): void => {};
  const line = { request: refuse, notify: refuse, cancelPrompt: ignore, tree: new SessionTree() };
  const peer = given ?? new PeerClient(contract, line).peer;
  const sessions = createSessions(role, peer, NEVER_CLOSED, line.tree);
  const handlers = new Dispatcher(contract, {
    ...line,
    peer,
    inheriting: () => peer,
    sessions,
  });
  const dispatcher =
    role.intercept === undefined ? handlers : interceptReceiver(handlers, role.intercept);
  const incoming = classify(message, protocolVersion === 1);
  switch (incoming.kind) {
    case "request": {
      const { method } = incoming.message;
      const state = new RequestState((error) => role.report(error, { method }));
      const release = follow(signal, state);
      return new Promise((resolve) =>
        answer(dispatcher, incoming.message, state, role.report, (answered) => {
          release();
          resolve(answered);
          // The caller sends the response when it continues.
          state.answered("result" in answered ? "result" : "error", afterMicrotasks);
        }),
      );
    }
    case "notification": {
      const cancellation = new Cancellation();
      const release = follow(signal, cancellation);
      try {
        await dispatcher.notification(incoming.message, cancellation.signal);
      } catch (error) {
        role.report(error, { method: incoming.message.method });
      } finally {
        release();
      }
      return undefined;
    }
    case "invalid":
      return failure(incoming.id, new RpcError(ErrorCodes.InvalidRequest, "Invalid request"));
    case "ambiguous":
    case "broken-response":
    case "response":
      return undefined;
    default:
      return incoming satisfies never;
  }
}

/** The state of the connection that a message without one has. */
const NEVER_CLOSED = {
  closed: new Promise<void>(() => {}),
  handlers: new RunningHandlers(),
  endReason: undefined,
};

/** Aborts a cancellation with a signal; returns a function that ends that. */
function follow(signal: AbortSignal | undefined, cancellation: Cancellation): () => void {
  const abort = (): void => cancellation.abort((signal!.reason ?? signal) as object);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
