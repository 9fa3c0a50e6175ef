import { copyAsJson } from "./copy-as-json.js";
import { rejected, SENT, type Transport, type TransportReceiver } from "./transport.js";

// Ports declare the values of their listeners differently, which only `any` covers.
type Listener = (value: any) => void;

/**
 * An object that exchanges values with another thread or frame: a `MessagePort`, a `Worker` on
 * either of its sides, in browsers and in Node.js, or a webview of an editor. Values are received
 * with the first of these functions that the object has, or with `onmessage`.
 */
export interface MessagePortLike {
  postMessage(message: unknown): unknown;
  /** Present in Node.js. */
  on?(event: string, listener: Listener): unknown;
  /** Present in webviews of Visual Studio Code. */
  onDidReceiveMessage?(listener: Listener): unknown;
  /** Present in browsers. */
  addEventListener?(event: string, listener: Listener): unknown;
  /** Present in browsers; starts a port that has event listeners. */
  start?(): unknown;
  onmessage?: unknown;
  close?(): unknown;
}

/**
 * Creates a transport from a port. Closing it closes a `MessagePort`; a worker or a webview
 * continues. It ends as well when the port reports that the other side has closed: a `MessagePort`
 * and a worker of Node.js do, others do not.
 */
export function portTransport(port: MessagePortLike): Transport {
  let receiver: TransportReceiver | undefined;
  let isClosed = false;
  const end = (error?: unknown): void => {
    if (isClosed) return;
    isClosed = true;
    // The last message can be answered in its turn.
    queueMicrotask(() => receiver?.close(error, true));
  };
  const receive = (value: unknown): void => {
    if (!isClosed) receiver?.message(value);
  };
  const receiveEvent = (event: { readonly data: unknown }): void => receive(event.data);
  return {
    start: (given) => {
      receiver = given;
      if (port.on !== undefined) {
        port.on("message", receive);
        port.on("close", () => end());
        port.on("exit", () => end());
        port.on("error", end);
      } else if (port.onDidReceiveMessage !== undefined) port.onDidReceiveMessage(receive);
      else if (port.addEventListener !== undefined) {
        port.addEventListener("message", receiveEvent);
        port.addEventListener("close", () => end());
        port.start?.();
      } else port.onmessage = receiveEvent;
    },
    send: (message) => {
      // A structured clone has values that JSON cannot represent, and refuses others.
      const copy = copyAsJson(message);
      if (isClosed) return rejected(new Error("the transport is closed"));
      port.postMessage(copy);
      return SENT;
    },
    close: () => {
      end();
      if (port.close !== undefined && !isGlobal(port)) port.close();
    },
  };
}

/** Returns whether a port is the global object of a worker or a page, whose `close` ends all of it. */
function isGlobal(port: MessagePortLike): boolean {
  return (port as unknown) === globalThis;
}
