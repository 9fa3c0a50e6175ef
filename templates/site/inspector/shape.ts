import { isRecord } from "../../typescript/runtime/rpc/messages.js";

/** Explains why a value is not a message, with the JSON pointer of the offending member. */
export function explainShape(value: unknown): { readonly path: string; readonly message: string } {
  if (Array.isArray(value))
    return { path: "", message: "a message must be a single object, not a batch" };
  if (!isRecord(value)) return { path: "", message: "a message must be an object" };
  const has = (member: string): boolean => Object.hasOwn(value, member);
  if (value["jsonrpc"] !== "2.0") return { path: "/jsonrpc", message: 'must be "2.0"' };
  if (has("method") && (has("result") || has("error")))
    return { path: "", message: "is both a call and a response" };
  if (has("result") && has("error")) return { path: "", message: "has a result and an error" };
  if (has("method") && typeof value["method"] !== "string")
    return { path: "/method", message: "must be a string" };
  if (!has("method") && !has("result") && !has("error"))
    return { path: "", message: "has neither a method nor a result nor an error" };
  if (!has("method") && !has("id")) return { path: "", message: "is a response without an id" };
  if (has("error") && !isErrorObject(value["error"]))
    return { path: "/error", message: "needs an integer code and a message" };
  return { path: "/id", message: "must be a string, an integer or null" };
}

function isErrorObject(value: unknown): boolean {
  return isRecord(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string";
}
