import type { ErrorObject } from "./messages.js";

/** Error codes of JSON-RPC 2.0 (section 5.1) and of the protocol. */
export const ErrorCodes = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  RequestCancelled: -32800,
  AuthenticationRequired: -32000,
  ResourceNotFound: -32002,
} as const;

/**
 * An error with a code. Thrown by a handler, it becomes the response's error as
 * it is; received in a response, it rejects the call.
 */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  readonly code: number;
  /** Further facts; sent to the peer. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The form it has on the wire. */
  toObject(): ErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** A call was refused locally: the peer did not advertise what it needs. */
export class CapabilityError extends Error {
  override readonly name = "CapabilityError";
  readonly method: string;
  /** Path of the capability in the peer's initialize message, e.g. `agentCapabilities.loadSession`. */
  readonly capability: string;

  constructor(method: string, capability: string) {
    super(`${method} needs the capability ${capability}, which the peer did not advertise`);
    this.method = method;
    this.capability = capability;
  }
}

/** The connection is closed, so the call cannot be made or answered any more. */
export class ConnectionClosedError extends Error {
  override readonly name = "ConnectionClosedError";

  constructor(reason?: unknown) {
    super("the connection is closed", reason === undefined ? undefined : { cause: reason });
  }
}

/** The peer speaks another version of the protocol. */
export class ProtocolVersionError extends Error {
  override readonly name = "ProtocolVersionError";
  readonly wanted: number;
  readonly offered: unknown;

  constructor(wanted: number, offered: unknown) {
    super(`this side speaks protocol version ${wanted}; the agent answered with another one`);
    this.wanted = wanted;
    this.offered = offered;
  }
}
