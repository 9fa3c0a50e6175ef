import { isRecord } from "../rpc/messages.js";
import type { MethodGate } from "../methods.js";

/** The initialize messages of both sides, as far as they are known. */
export interface Advertised {
  agent?: unknown;
  client?: unknown;
}

/**
 * Checks a gate that depends on a capability.
 *
 * @param params the params of the call; without them, a gate with keys is open when any key is
 *   advertised
 * @returns the path of the missing capability; undefined when the gate is open or does not depend
 *   on a capability
 */
export function missingCapability(
  gate: MethodGate | undefined,
  advertised: Advertised,
  params?: unknown,
): string | undefined {
  if (gate?.kind !== "capability" && gate?.kind !== "key") return undefined;
  // The state of sessions is checked by SessionFacts.
  if (gate.side === "session") return undefined;
  const value = gate.path.reduce(read, advertised[gate.side]);
  const path = pathText(gate.path);
  if (gate.kind === "capability") return isOpen(gate.test, value) ? undefined : path;
  const key = gate.key.split(".").slice(1).reduce(read, params);
  const has = (name: string): boolean => name !== "_meta" && isPresent(read(value, name));
  if (typeof key === "string") return has(key) ? undefined : pathText([...gate.path, key]);
  return Object.keys(isRecord(value) ? value : {}).some(has) ? undefined : path;
}

/** Returns the text of a path: names that are not words are quoted in brackets. */
export function pathText(path: readonly string[]): string {
  return path
    .map((name) => (/^\w+$/.test(name) ? `.${name}` : `["${name}"]`))
    .join("")
    .replace(/^\./, "");
}

/** Returns the names of a path; the reverse of `pathText`. */
export function pathNames(text: string): readonly string[] {
  return [...text.matchAll(/\["([^"]*)"\]|[^.[\]"]+/g)].map(([name, quoted]) => quoted ?? name);
}

/** Returns an own property of an object; undefined for values that are not objects. */
export function read(holder: unknown, name: string): unknown {
  return isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function isOpen(test: "true" | "filled" | "present", value: unknown): boolean {
  if (test === "true") return value === true;
  return test === "filled" ? Array.isArray(value) && value.length > 0 : isPresent(value);
}

/** Returns whether a value is neither undefined nor null. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
