/** Identifies a request on one connection (JSON-RPC 2.0 section 4). */
export type RequestId = string | number | null;

export interface RequestMessage {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

export interface NotificationMessage {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: unknown;
}

export type ResponseMessage =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: unknown }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly error: ErrorObject };

/** The error of a response (JSON-RPC 2.0 section 5.1). */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Message = RequestMessage | NotificationMessage | ResponseMessage;

/** What a message turned out to be; `invalid` carries the id to answer with. */
export type Incoming =
  | { readonly kind: "request"; readonly message: RequestMessage }
  | { readonly kind: "notification"; readonly message: NotificationMessage }
  | { readonly kind: "response"; readonly message: ResponseMessage }
  | { readonly kind: "invalid"; readonly id: RequestId };

/**
 * Tells what a received value is: exactly one of request (id and method),
 * notification (method), response (id and exactly one of result and error).
 * Anything else, batches included, is invalid.
 */
export function classify(value: unknown): Incoming {
  const invalid: Incoming = { kind: "invalid", id: null };
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return invalid;
  const hasId = Object.hasOwn(value, "id");
  const id = value["id"];
  if (hasId && !isRequestId(id)) return invalid;
  if (Object.hasOwn(value, "method")) {
    if (typeof value["method"] !== "string")
      return hasId ? { kind: "invalid", id: id as RequestId } : invalid;
    const message = value as unknown as RequestMessage;
    return hasId ? { kind: "request", message } : { kind: "notification", message };
  }
  const isResult = Object.hasOwn(value, "result");
  const isError = Object.hasOwn(value, "error");
  if (!hasId || isResult === isError || (isError && !isErrorObject(value["error"]))) return invalid;
  return { kind: "response", message: value as unknown as ResponseMessage };
}

/** Whether a value is an object (not an array, not null). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRequestId(value: unknown): value is RequestId {
  return value === null || typeof value === "string" || Number.isInteger(value);
}

function isErrorObject(value: unknown): value is ErrorObject {
  return isRecord(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string";
}
