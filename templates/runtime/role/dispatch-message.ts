import { ErrorCodes, RpcError } from "../rpc/errors.js";
import { PeerContract } from "./peer-contract.js";
import { Dispatcher } from "./dispatcher.js";
import { classify, type ResponseMessage } from "../rpc/messages.js";
import { PeerClient } from "./peer-client.js";
import type { Handshake, Role } from "./role.js";
import { answer, Cancellation, failure } from "../rpc/inbound-requests.js";

/** What a message that comes without a connection is handled with. */
export interface DispatchOptions<Peer, Handshake> {
  /** What both sides have said of themselves; without it, the peer counts as having advertised nothing. */
  readonly handshake?: Handshake;
  /** The peer that handlers see; without it, their calls fail. */
  readonly peer?: Peer;
  readonly signal?: AbortSignal;
}

/**
 * Handles one message without a connection, for those who have their own transport:
 * params are decoded, gates and results checked as on a connection. Nothing is remembered
 * from one message to the next.
 *
 * @param message as parsed from JSON
 * @returns the response to send, when the notification's handler has ended nothing;
 *   responses are not looked at
 */
export async function dispatchMessage<Peer>(
  role: Role<Peer>,
  message: unknown,
  options: DispatchOptions<Peer, Handshake<unknown, unknown>> = {},
): Promise<ResponseMessage | undefined> {
  const { handshake, signal } = options;
  const contract = new PeerContract(role as Role<unknown>);
  const { protocolVersion, advertised } = role;
  const own = { protocolVersion, ...advertised };
  const [request, response] = role.role === "agent" ? [{}, own] : [own, {}];
  contract.agree(handshake?.request ?? request, handshake?.response ?? response);
  const refuse = (): Promise<never> =>
    Promise.reject(new Error("a message that comes without a connection has no peer to call"));
  const ignore = (): void => {};
  const { peer } = options.peer
    ? options
    : new PeerClient(contract, { request: refuse, notify: refuse, cancelPrompt: ignore });
  const dispatcher = new Dispatcher(contract, { peer, cancelPrompt: ignore });
  const incoming = classify(message, protocolVersion === 1);
  switch (incoming.kind) {
    case "request":
      return new Promise((resolve) =>
        answer(dispatcher, incoming.message, cancellationOf(signal), role.report, resolve),
      );
    case "notification":
      try {
        await dispatcher.notification(incoming.message, cancellationOf(signal).signal);
      } catch (error) {
        role.report(error, { method: incoming.message.method });
      }
      return undefined;
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

function cancellationOf(signal: AbortSignal | undefined): Cancellation {
  const cancellation = new Cancellation();
  const abort = (): void => cancellation.abort((signal!.reason ?? signal) as object);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return cancellation;
}
