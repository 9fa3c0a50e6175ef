import type { Sample } from "./samples.js";

/** A message as it arrives: one JSON text, and the value that it parses to. */
export interface Message extends Sample {
  readonly text: string;
}

const COUNT = 2000;
const SEED = 2026;
/** Characters; longer messages are left out. */
const MAX_LENGTH = 8000;
const OTHER = "everything else";

/** How often each kind of message occurs in a session, as shares of the messages. */
const SHARES: { readonly [kind: string]: number } = {
  agent_message_chunk: 0.72,
  tool_call_update: 0.12,
  agent_thought_chunk: 0.08,
  tool_call: 0.04,
  plan: 0.01,
  usage_update: 0.01,
  [OTHER]: 0.02,
};

/** Params and results of methods; neither parts of messages nor the JSON-RPC envelopes around them. */
const MESSAGE = /(?<!^(Agent|Client|Protocol))(Request|Response|Notification)$/;

/**
 * Draws the streaming mix: 2,000 messages, the same ones in the same order for
 * the same samples. Each is parsed on its own, so that no two share an object.
 */
export function drawStreamingMix(samples: readonly Sample[]): Message[] {
  const random = randomFrom(SEED);
  const pools = groupByKind(samples.filter(({ def }) => MESSAGE.test(def)));
  const drawn = Object.entries(SHARES).flatMap(([kind, share]) => {
    const pool = pools.get(kind);
    if (pool === undefined) throw new Error(`no sample of a message of the kind "${kind}"`);
    const draw = (): Message => parsed(pool[Math.floor(random() * pool.length)]!);
    return Array.from({ length: Math.round(share * COUNT) }, draw);
  });
  return drawn
    .map((message) => ({ message, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ message }) => message);
}

function parsed({ def, text }: Message): Message {
  return { def, text, value: JSON.parse(text) };
}

function groupByKind(samples: readonly Sample[]): Map<string, Message[]> {
  const pools = new Map<string, Message[]>();
  for (const sample of samples) {
    const text = JSON.stringify(sample.value);
    if (text.length > MAX_LENGTH) continue;
    const kind = kindOf(sample);
    if (!pools.has(kind)) pools.set(kind, []);
    pools.get(kind)!.push({ ...sample, text });
  }
  return pools;
}

/** A message chunk counts as one when it carries a text token; images and links are something else. */
function kindOf({ def, value }: Sample): string {
  if (def !== "SessionNotification") return OTHER;
  const { update } = value as { update: { sessionUpdate: string; content?: { type?: string } } };
  const isChunk = update.sessionUpdate.endsWith("_chunk");
  if (isChunk && update.content?.type !== "text") return OTHER;
  return Object.hasOwn(SHARES, update.sessionUpdate) ? update.sessionUpdate : OTHER;
}

/** Numbers from 0 to 1 that only depend on the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
