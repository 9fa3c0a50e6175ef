import type { Transport } from "acp-bindings";
import type { Stream } from "@agentclientprotocol/sdk";

/** Returns a pair of streams for the official SDK from one of our transports. */
export function toStream(transport: Transport): Stream {
  let isOpen = true;
  const readable = new ReadableStream<unknown>({
    start: (controller) =>
      transport.start({
        message: (value) => controller.enqueue(value),
        invalid: (code, text) => controller.error(new Error(`${code} ${text}`)),
        close: (error) => {
          if (isOpen && error === undefined) controller.close();
          else controller.error(error);
        },
      }),
    cancel: () => {
      isOpen = false;
      transport.close();
    },
  });
  const writable = new WritableStream<object>({
    write: (message) => transport.send(message),
    close: () => transport.close(),
    abort: () => transport.close(),
  });
  return { readable, writable } as Stream;
}
