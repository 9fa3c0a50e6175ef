import type { MethodDescriptor } from "acp-bindings";
import type { TranscriptEntry } from "acp-bindings/conformance";
import { loadBindings, type Profile } from "../../../use/samples/profiles.js";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Everything that is sent in a conversation and does not fit the schema of its version. */
export async function findMisfits(transcript: readonly TranscriptEntry[]): Promise<string[]> {
  const isSecond = transcript.some(
    ({ message }) =>
      (message as { result?: { protocolVersion?: unknown } }).result?.protocolVersion === 2,
  );
  const profile: Profile = isSecond ? "v2-full" : "v1-full";
  const { schemaOf } = await loadBindings(profile);
  const { METHODS } = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as {
    METHODS: readonly MethodDescriptor[];
  };
  const asked = new Map<string, MethodDescriptor>();
  return transcript.flatMap(({ from, message }, index) => {
    const { id, method: name, params, result } = message as Message;
    const isSent = name !== undefined;
    const other = from === "agent" ? "client" : "agent";
    const key = `${isSent ? from : other} ${JSON.stringify(id)}`;
    const kind = id === undefined ? "notification" : "request";
    const method = isSent
      ? METHODS.find((one) => one.name === name && one.kind === kind && one.side !== from)
      : asked.get(key);
    if (method === undefined || (!isSent && result === undefined)) return [];
    if (isSent && id !== undefined) asked.set(key, method);
    const definition = isSent ? method.params : method.result!;
    const [issue] = schemaOf(definition).issues(isSent ? params : result);
    if (issue === undefined) return [];
    return [`${index + 1}: ${definition} ${JSON.stringify(issue)}`];
  });
}
