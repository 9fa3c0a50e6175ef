import type { ErrorObject } from "./messages.js";

/** Error codes of JSON-RPC 2.0 (section 5.1), of the protocol, and of this runtime for overload. */
export const ErrorCodes = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  RequestCancelled: -32800,
  AuthenticationRequired: -32000,
  ResourceNotFound: -32002,
  UnsupportedProtocolVersion: -32022,
  /** Specific to this runtime, from JSON-RPC's range for servers: too many requests are unanswered. */
  TooManyRequests: -32029,
} as const;

/**
 * An error with a code. Thrown by a handler, it is sent unchanged as the response's error;
 * received in a response, it rejects the call.
 */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  readonly code: number;
  /** Additional data, sent to the peer. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** Returns the error object that is sent. */
  toObject(): ErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** The agent requires authentication: authenticate, then retry. */
export class AuthRequiredError extends RpcError {
  override readonly name = "AuthRequiredError";

  constructor(message = "Authentication required", data?: unknown) {
    super(ErrorCodes.AuthenticationRequired, message, data);
  }
}

/** Returns the error for a response's error object; undefined stands for a malformed response. */
export function toRpcError(error: ErrorObject | undefined): RpcError {
  if (error === undefined) return new RpcError(ErrorCodes.InternalError, "Invalid response");
  const { code, message, data } = error;
  return code === ErrorCodes.AuthenticationRequired
    ? new AuthRequiredError(message, data)
    : new RpcError(code, message, data);
}

/** A call was refused locally because the peer did not advertise the required capability. */
export class CapabilityError extends Error {
  override readonly name = "CapabilityError";
  readonly method: string;
  /** Path of the capability in the peer's initialize message, e.g. `agentCapabilities.loadSession`. */
  readonly capability: string;
  /** JSON pointer to the field in the params or the result that needs it; empty when the method does. */
  readonly pointer: string;

  constructor(method: string, capability: string, pointer = "") {
    const place = pointer === "" ? "" : ` at ${pointer}`;
    super(`${method}${place} needs ${capability}, which the peer did not advertise`);
    this.method = method;
    this.capability = capability;
    this.pointer = pointer;
  }
}

/** A call was made before the handshake was complete. */
export class NotInitializedError extends Error {
  override readonly name = "NotInitializedError";

  constructor(method: string) {
    super(`${method} cannot be called before initialize has been answered`);
  }
}

/** The peer did not answer within the timeout of the call. */
export class RequestTimeoutError extends Error {
  override readonly name = "RequestTimeoutError";

  constructor(method: string, timeoutMs: number) {
    super(`${method} was not answered within ${timeoutMs} ms`);
  }
}

/** The connection is closed, so the call cannot be sent or answered. */
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
