import type { MethodDescriptor } from "acp-bindings";
import type { TranscriptEntry } from "acp-bindings/conformance";

/** What a message carries: its params or its result. */
export interface Carried {
  readonly definition: string;
  readonly value: unknown;
  /** The place of the message in the transcript. */
  readonly index: number;
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Returns the definitions and values of all params and results of a transcript; extensions have none. */
export function carried(
  transcript: readonly TranscriptEntry[],
  methods: readonly MethodDescriptor[],
): Carried[] {
  const asked = new Map<string, MethodDescriptor>();
  return transcript.flatMap(({ from, message }, index): Carried[] => {
    const { id, method: name, params, result } = message as Message;
    if (name === undefined) {
      const method = asked.get(`${from === "agent" ? "client" : "agent"} ${JSON.stringify(id)}`);
      if (method === undefined || result === undefined) return [];
      return [{ definition: method.result!, value: result, index }];
    }
    const kind = id === undefined ? "notification" : "request";
    const method = methods.find(
      (one) => one.name === name && one.kind === kind && one.side !== from,
    );
    if (method === undefined) return [];
    if (id !== undefined) asked.set(`${from} ${JSON.stringify(id)}`, method);
    return [{ definition: method.params, value: params, index }];
  });
}
