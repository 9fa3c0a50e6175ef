import { isRecord } from "../../rpc/messages.js";
import type { MethodDescriptor } from "../../methods.js";
import { findHandler } from "./handlers.js";

/**
 * Adds the capabilities that follow from the handlers of a role to what its author has declared.
 * A declared value stays as it is, even when it is false.
 *
 * @returns the fields of the initialize message; the given object when there is nothing to add
 */
export function withDerivedCapabilities(definition: {
  readonly role: "agent" | "client";
  readonly methods: readonly MethodDescriptor[];
  readonly handlers: object;
  readonly advertised: object;
}): object {
  const { role, methods, handlers } = definition;
  let { advertised } = definition;
  for (const method of methods) {
    const { side, gate, advertise } = method;
    if (side !== role || gate?.kind !== "capability" || gate.side !== role) continue;
    if (advertise === undefined || findHandler(handlers, method) === undefined) continue;
    advertised = withDefault(advertised, gate.path, advertise);
  }
  return advertised;
}

/** Returns a copy of an object with a value at a path; the object itself when the path has a value. */
function withDefault(holder: object, [name, ...rest]: readonly string[], value: unknown): object {
  const found: unknown = Object.hasOwn(holder, name!)
    ? (holder as Record<string, unknown>)[name!]
    : undefined;
  if (rest.length === 0) return found === undefined ? { ...holder, [name!]: value } : holder;
  if (found !== undefined && !isRecord(found)) return holder;
  const inner = withDefault(found ?? {}, rest, value);
  return inner === found ? holder : { ...holder, [name!]: inner };
}
