import { INITIALIZE } from "../find-method.js";
import { AcpError, ofPeer } from "../acp-error.js";
import * as sentences from "../sentences.js";
import { isRecord, type ErrorObject } from "./messages.js";

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

/** Facts about an RpcError that are not sent. */
export interface RpcErrorOptions {
  readonly method?: string | undefined;
  /** `local` by default. */
  readonly origin?: "local" | "remote";
  readonly cause?: unknown;
}

/**
 * An error with a code. Thrown by a handler, it is sent unchanged as the response's error, so the
 * user on the other side may read its message; received in a response, it rejects the call.
 */
export class RpcError extends AcpError {
  override readonly name: string = "RpcError";
  readonly code: number;
  /** Additional data, sent to the peer. */
  readonly data: unknown;
  /** `remote` when the peer sent the error, `local` when this side created it. */
  readonly origin: "local" | "remote";

  constructor(code: number, message: string, data?: unknown, options: RpcErrorOptions = {}) {
    const { method, origin = "local", cause } = options;
    super(message, method, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
    this.origin = origin;
  }

  /** The request cannot be served with these params (-32602). */
  static invalidParams(message = "Invalid params", data?: unknown): RpcError {
    return new RpcError(ErrorCodes.InvalidParams, message, data);
  }

  /** The method is not supported (-32601). */
  static methodNotFound(message = "Method not found", data?: unknown): RpcError {
    return new RpcError(ErrorCodes.MethodNotFound, message, data);
  }

  /** The client has to authenticate first (-32000). */
  static authRequired(message?: string, data?: unknown): AuthRequiredError {
    return new AuthRequiredError(message, data);
  }

  /** A session, a file or another resource does not exist (-32002). */
  static resourceNotFound(message = "Resource not found", data?: unknown): RpcError {
    return new RpcError(ErrorCodes.ResourceNotFound, message, data);
  }

  /** The request was cancelled (-32800). */
  static requestCancelled(message = "Request cancelled", data?: unknown): RpcError {
    return new RpcError(ErrorCodes.RequestCancelled, message, data);
  }

  /** The request failed for a reason that the user may read (-32603). */
  static internal(message: string, data?: unknown): RpcError {
    return new RpcError(ErrorCodes.InternalError, message, data);
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

  constructor(message = "Authentication required", data?: unknown, options?: RpcErrorOptions) {
    super(ErrorCodes.AuthenticationRequired, message, data, options);
  }
}

/** Returns the error for a response that cannot be used, with what is wrong with it. */
export function invalidResponse(method: string, problem: string): RpcError {
  const message = sentences.invalidResponse(problem);
  return new RpcError(ErrorCodes.InternalError, message, undefined, { method });
}

/**
 * Returns the error for a response's error object.
 *
 * @param method the method that was called
 */
export function toRpcError(error: ErrorObject, method: string): RpcError {
  const { code, message, data } = error;
  const options = { method, origin: "remote" } as const;
  return code === ErrorCodes.AuthenticationRequired
    ? new AuthRequiredError(message, data, options)
    : new RpcError(code, message, data, options);
}

/**
 * A message needs a capability that was not advertised. A call or a result that this side sends is
 * refused for it; one of the other side is reported.
 */
export class CapabilityError extends AcpError {
  override readonly name = "CapabilityError";
  declare readonly method: string;
  /** Path of the capability in the initialize message, e.g. `agentCapabilities.loadSession`. */
  readonly capability: string;
  /** JSON pointer to the field in the params or the result that needs it; empty when the method does. */
  readonly pointer: string;

  constructor(
    method: string,
    capability: string,
    pointer = "",
    message = `${method} needs ${capability}, which was not advertised`,
  ) {
    super(message, method);
    this.capability = capability;
    this.pointer = pointer;
  }
}

/** A call was made before the handshake was complete. */
export class NotInitializedError extends AcpError {
  override readonly name = "NotInitializedError";
  declare readonly method: string;

  constructor(method: string) {
    super(sentences.notInitialized(method), method);
  }
}

/** Returns the report of a notification that was received before the handshake was complete. */
export function earlyNotification(method: string): AcpError {
  return ofPeer(new AcpError(sentences.beforeInitialize(method), method));
}

/** Returns the answer to a notification that was sent with an id. */
export function sentWithId(method: string): RpcError {
  const text = sentences.sentWithId(method);
  return new RpcError(ErrorCodes.InvalidRequest, text, undefined, { method });
}

/** A request of the other side came without an id, so that it cannot be answered. */
export class MissingIdError extends AcpError {
  override readonly name = "MissingIdError";

  constructor(method: string) {
    super(sentences.sentWithoutId(method), method);
    ofPeer(this);
  }
}

/** The peer did not answer within the timeout of the call. */
export class RequestTimeoutError extends AcpError {
  override readonly name = "RequestTimeoutError";
  declare readonly method: string;
  readonly timeoutMs: number;

  constructor(method: string, timeoutMs: number) {
    super(sentences.notAnswered(method, `${timeoutMs} ms`), method);
    this.timeoutMs = timeoutMs;
  }
}

/** The connection is closed, so the call cannot be sent or answered. */
export class ConnectionClosedError extends AcpError {
  override readonly name = "ConnectionClosedError";

  /** @param reason why the connection was closed, if the end was not regular */
  constructor(reason?: unknown, method?: string) {
    const options = reason === undefined ? undefined : { cause: reason };
    super(
      sentences.closed(method ?? "", reason instanceof Error ? reason.message : ""),
      method,
      options,
    );
  }
}

/** The versions that the command acp-bridge translates into each other. */
const BRIDGED: ReadonlySet<unknown> = /* @__PURE__ */ new Set([1, 2]);

/** The agent speaks another version of the protocol. */
export class ProtocolVersionError extends AcpError {
  override readonly name = "ProtocolVersionError";
  declare readonly method: string;
  readonly wanted: number;
  readonly offered: unknown;

  constructor(wanted: number, offered: unknown, cause?: unknown) {
    const isBridged = BRIDGED.has(wanted) && BRIDGED.has(offered);
    const cure = isBridged ? sentences.bridgeTranslates : "";
    super(
      sentences.otherVersion(`${wanted}`, String(offered), cure),
      INITIALIZE,
      cause === undefined ? undefined : { cause },
    );
    this.wanted = wanted;
    this.offered = offered;
  }
}

/** Returns the newest version that an agent names in its refusal; undefined for other errors. */
export function newestSupported({ code, data }: RpcError): number | undefined {
  if (code !== ErrorCodes.UnsupportedProtocolVersion || !isRecord(data)) return undefined;
  const { supported } = data;
  if (!Array.isArray(supported)) return undefined;
  const versions = (supported as unknown[]).filter((version) => Number.isSafeInteger(version));
  return versions.length === 0
    ? undefined
    : Math.max(...(versions as number[]).slice(0, MOST_READ));
}

/** The number of versions that are read of a refusal. */
const MOST_READ = 100;
