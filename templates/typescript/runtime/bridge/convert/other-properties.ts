import { isRecord } from "../../rpc/messages.js";

/** Checks whether an object has more than the known properties; those that are null mean nothing. */
export function hasOtherProperties(value: unknown, known: readonly string[]): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => !known.includes(name) && member !== null && member !== undefined,
  );
}
