import type { Conversation } from "./conversation.js";

/** What a conversation needs to be one. */
const NEEDED = new Set([
  ...["seed", "version", "acts", "wires", "toAgent", "toClient", "capacity", "chunk", "delay"],
  ...["t", "op", "s", "look", "program", "id", "do", "steps", "early", "after", "end", "answer"],
  ...["kind", "bytes", "by"],
]);

/** The values that are simpler than others. */
const SIMPLEST: { readonly [name: string]: unknown } = {
  ...{ capacity: 65536, chunk: 65536, look: "now", end: "end", answer: "allow", by: "eof" },
};

/**
 * Makes a conversation that fails smaller: without the acts, steps and properties that it does not
 * need, and with simple values.
 *
 * @param fails whether a conversation still fails
 */
export async function shrink(
  conversation: Conversation,
  fails: (smaller: Conversation) => Promise<boolean>,
): Promise<Conversation> {
  for (const smaller of smallerThan(conversation) as Iterable<Conversation>)
    if (await fails(smaller)) return shrink(smaller, fails);
  return conversation;
}

function* smallerThan(value: unknown): Generator {
  if (Array.isArray(value)) {
    for (let size = value.length; size >= 1; size = Math.floor(size / 2))
      for (let at = 0; at + size <= value.length; at += size)
        yield [...value.slice(0, at), ...value.slice(at + size)];
    for (const [index, item] of value.entries())
      for (const smaller of smallerThan(item)) yield value.with(index, smaller);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _, ...rest } = value as Readonly<Record<string, unknown>>;
      if (!NEEDED.has(name)) yield rest;
      if (name in SIMPLEST) {
        if (item !== SIMPLEST[name]) yield { ...value, [name]: SIMPLEST[name] };
      } else if (!["seed", "version", "s"].includes(name))
        for (const smaller of smallerThan(item)) yield { ...value, [name]: smaller };
    }
  } else if (typeof value === "number" && value > 0) {
    yield 0;
    if (value > 1) yield Math.floor(value / 2);
  }
}
