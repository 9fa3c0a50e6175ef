import type { JsonSchema } from "./json.js";

const PREFIX = "#/$defs/";

/** The name of the definition that a schema's own `$ref` points to; nothing without one, or for a foreign one. */
export function referencedName({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined;
}

/** Whether following arrows from a name leads back to it. */
export function leadsToItself(start: string, next: (name: string) => readonly string[]): boolean {
  const seen = new Set<string>();
  const queue = [...next(start)];
  while (queue.length > 0) {
    const name = queue.pop()!;
    if (name === start) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...next(name));
  }
  return false;
}
