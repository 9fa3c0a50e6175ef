import * as v1 from "acp-bindings/v1-full/schemas";
import * as v2 from "acp-bindings/v2-full/schemas";
import type { Method, Protocol } from "../../../../../generators/model/protocol.js";
import { isObject, type Json } from "../../../../../generators/schema/json-schema/json.js";
import type { Random } from "../../../../use/samples/random.js";
import { changesOf, corpusOf, protocolOf, type Corpus } from "../corpus.js";

export type Side = "client" | "agent";
export type Version = 1 | 2;
export type Message = { readonly [member: string]: unknown };

interface Schema {
  issues(value: unknown): readonly unknown[];
}

/** A version of the protocol, with values and checks. */
export interface Spoken {
  readonly protocol: Protocol;
  readonly corpus: Corpus;
  readonly schemas: { readonly [definition: string]: Schema };
}

const speak = (profile: string, schemas: unknown): Spoken => {
  const protocol = protocolOf(profile);
  return { protocol, corpus: corpusOf(protocol), schemas: schemas as Spoken["schemas"] };
};

export const SPOKEN: { readonly [version in Version]: Spoken } = {
  1: speak("v1-full", v1),
  2: speak("v2-full", v2),
};

/** Ids that messages share, so that they meet in the bridge's state. */
const POOLS: { readonly [property: string]: readonly string[] } = {
  sessionId: ["a", "b"],
  toolCallId: ["t1", "t2"],
  messageId: ["m1", "m2"],
  terminalId: ["x1", "x2"],
  planId: ["main", "p"],
};

/** Gives every id in a value one of a few values. */
export function share(value: Json, random: Random): Json {
  if (Array.isArray(value)) return value.map((item: Json) => share(item, random));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const pool = Object.hasOwn(POOLS, key) && typeof item === "string" ? POOLS[key] : undefined;
    return [key, pool === undefined ? share(item, random) : random.pick(pool)];
  });
  return Object.fromEntries(entries);
}

/** Draws a valid value of a definition. */
export function draw({ corpus }: Spoken, definition: string, random: Random): Json {
  return share(random.pick(corpus.samples(definition)), random);
}

/** Changes one place of a value, which may be invalid then. */
export function spoil(value: Json, random: Random): Json {
  return random.pick([...changesOf(value)]);
}

/** Finds the method that a side receives. */
export function methodOf(
  { protocol }: Spoken,
  name: unknown,
  isRequest: boolean,
): Method | undefined {
  const kind = isRequest ? "request" : "notification";
  return protocol.methods.find((one) => one.name === name && one.kind === kind);
}

/** Returns what is wrong with a message by the schema of its version; responses are those to `asked`. */
export function issuesOf(spoken: Spoken, message: Message, asked: unknown): readonly unknown[] {
  const { method, id, params, result, error } = message;
  if (error !== undefined) return [];
  const isCall = method !== undefined;
  const found = methodOf(spoken, isCall ? method : asked, !isCall || id !== undefined);
  const definition = isCall ? found?.params : found?.result;
  if (definition === undefined) return [{ unknown: isCall ? method : asked }];
  return spoken.schemas[definition]!.issues(isCall ? params : result);
}
