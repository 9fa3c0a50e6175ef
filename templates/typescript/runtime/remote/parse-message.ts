import { ErrorCodes } from "../rpc/errors.js";
import { LINE_TOO_LONG } from "../rpc/malformed-input.js";
import type { TransportReceiver } from "../rpc/transports/transport.js";

/** The length of the beginning of malformed input that is kept, in characters. */
export const KEPT_START = 512;

/** Parses a message and delivers it, or reports why it is none. */
export function parseMessage(text: string, maxLength: number, receiver: TransportReceiver): void {
  if (text.length > maxLength)
    return receiver.invalid(ErrorCodes.InvalidRequest, LINE_TOO_LONG, text.slice(0, KEPT_START));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return receiver.invalid(ErrorCodes.ParseError, "Parse error", text.slice(0, KEPT_START));
  }
  receiver.message(value);
}
