import * as sentences from "../sentences.js";

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

/**
 * A classified message. `invalid` carries the id to answer with. A broken response carries the id
 * of the call that it ends and what is wrong, and is never answered (JSON-RPC 2.0 section 5: only
 * requests are); an empty one lacks only its result. An ambiguous message is both a call and a
 * response, and is not answered since the answer might go to a response.
 */
export type Incoming =
  | { readonly kind: "request"; readonly message: RequestMessage }
  | { readonly kind: "notification"; readonly message: NotificationMessage }
  | { readonly kind: "response"; readonly message: ResponseMessage }
  | {
      readonly kind: "broken-response";
      readonly id: unknown;
      readonly problem: string;
      readonly isEmpty: boolean;
    }
  | { readonly kind: "ambiguous"; readonly id: unknown }
  | { readonly kind: "invalid"; readonly id: RequestId };

/**
 * Classifies a received value as exactly one of request (id and method), notification (method),
 * and response (id and exactly one of result and error). Anything else, including batches, is
 * invalid, ambiguous or a broken response.
 *
 * Ids are strings and safe integers: an answer to 2^53 + 1 would carry another id.
 *
 * @param nullIds whether `null` is allowed as the id of a request
 */
export function classify(value: unknown, nullIds: boolean): Incoming {
  if (!isRecord(value)) return { kind: "invalid", id: null };
  const { id, method } = value;
  const isVersion2 = value["jsonrpc"] === "2.0";
  const hasId = Object.hasOwn(value, "id");
  const isValid = isVersion2 && (!hasId || isRequestId(id));
  const isResult = Object.hasOwn(value, "result");
  const isError = Object.hasOwn(value, "error");
  if (Object.hasOwn(value, "method")) {
    if (isResult || isError) return { kind: "ambiguous", id };
    if (!isValid || (hasId && id === null && !nullIds)) return { kind: "invalid", id: null };
    if (typeof method !== "string")
      return { kind: "invalid", id: hasId ? (id as RequestId) : null };
    const message = value as unknown as RequestMessage;
    return hasId ? { kind: "request", message } : { kind: "notification", message };
  }
  if (!isResult && !isError && !(hasId && isVersion2)) return { kind: "invalid", id: null };
  const problem = problemOf(value, isResult, isError);
  if (problem !== undefined)
    return { kind: "broken-response", id, problem, isEmpty: problem === "" };
  return { kind: "response", message: value as unknown as ResponseMessage };
}

/** Returns what is wrong with a response, empty when it only lacks a result; undefined when it is well-formed. */
function problemOf(
  value: Readonly<Record<string, unknown>>,
  isResult: boolean,
  isError: boolean,
): string | undefined {
  if (value["jsonrpc"] !== "2.0") return sentences.wrongVersion;
  if (!isRequestId(value["id"])) return sentences.wrongId;
  if (isResult && isError) return sentences.bothOutcomes;
  if (!isResult && !isError) return "";
  if (isError && !isErrorObject(value["error"])) return sentences.wrongError;
  return undefined;
}

/**
 * Returns a handler's result as a message carries it: undefined becomes null.
 *
 * @throws TypeError for values that JSON would silently omit
 */
export function toResult(value: unknown): unknown {
  if (value === undefined) return null;
  const { toJSON } = Object(value) as { toJSON?: unknown };
  const written = typeof toJSON === "function" ? (toJSON.call(value, "result") as unknown) : value;
  if (["undefined", "function", "symbol"].includes(typeof written))
    throw new TypeError("a handler returned something that JSON does not know");
  return value;
}

/** Returns whether a value has the mark of messages; the output of a logger does not. */
export function claimsToBeMessage(value: unknown): boolean {
  return isRecord(value) && value["jsonrpc"] === "2.0";
}

/** Returns whether a value is an object (not an array, not null). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isRequestId(value: unknown): value is RequestId {
  return value === null || typeof value === "string" || Number.isSafeInteger(value);
}

function isErrorObject(value: unknown): value is ErrorObject {
  return isRecord(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string";
}
