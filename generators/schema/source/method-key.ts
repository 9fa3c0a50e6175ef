import type { MethodSource } from "./sources.js";

/** What identifies a method: who handles it, its kind and its name, since one name can occur twice. */
export type MethodId = Pick<MethodSource, "name" | "side" | "kind">;

/** Returns a method's key in a map, which is its text in lists too: `agent request session/new`. */
export function methodKey({ name, side, kind }: MethodId): string {
  return `${side} ${kind} ${name}`;
}
