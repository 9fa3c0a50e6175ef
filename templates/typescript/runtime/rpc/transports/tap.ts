import { disposalOf } from "./disposal.js";
import { startTransport, toTransport, type MessageStream, type Transport } from "./transport.js";

/** The direction of a message, as the side that uses the transport sees it. */
export type TapDirection = "incoming" | "outgoing";

/**
 * Receives a message that passes a tap. The message is not a copy and must not be modified.
 *
 * @param time when the message passed
 */
export type TapListener = (message: unknown, direction: TapDirection, time: Date) => void;

/**
 * Returns a transport that calls a function for every message of another one, in the order of the
 * wire: an incoming message before it is handled, an outgoing message once it was handed over. An
 * exception of the function is written to the console and does not affect the connection.
 *
 * @param given the transport, which is used only through the returned one from now on
 */
export function tap(given: Transport | MessageStream, listener: TapListener): Transport {
  const transport = toTransport(given);
  const notify = (message: unknown, direction: TapDirection): void => {
    try {
      listener(message, direction, new Date());
    } catch (error) {
      console.error("acp: the function of a tap failed:", error);
    }
  };
  return {
    start: (receiver) =>
      startTransport(transport, {
        message: (value) => {
          notify(value, "incoming");
          receiver.message(value);
        },
        invalid: (...input) => {
          if (input[3] !== undefined) notify(input[3], "incoming");
          receiver.invalid(...input);
        },
        close: (...end) => receiver.close(...end),
      }),
    send: (message) => {
      const sent = transport.send(message);
      notify(message, "outgoing");
      return sent;
    },
    unsent: () => transport.unsent?.() ?? 0,
    close: () => transport.close(),
    ...disposalOf(given),
  };
}

/**
 * Returns a function for `tap` that writes each message as one line of JSON, with its time and its
 * sender: a transcript that `acp-codegen inspect` reads.
 *
 * @param side the side that uses the transport
 * @param write receives a line, with its line feed
 */
export function createRecorder(
  side: "agent" | "client",
  write: (line: string) => unknown,
): TapListener {
  const other = side === "agent" ? "client" : "agent";
  return (message, direction, time) => {
    const from = direction === "outgoing" ? side : other;
    write(`${JSON.stringify({ time: time.toISOString(), from, message })}\n`);
  };
}
