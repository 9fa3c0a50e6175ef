import type { Message, Peer } from "./peer.js";
import type { MethodValues } from "./schema.js";

/** The fate of a value on its way through a peer. */
export type Verdict =
  | { readonly kind: "refused"; readonly hasPlace: boolean }
  | {
      readonly kind: "passed";
      readonly value: unknown;
      /** The report about it; absent where nothing is to be reported. */
      readonly dropped?: readonly { readonly rule: string }[];
    };

/** Sends a value on its way. */
export type Attempt = (peer: Peer, method: MethodValues, value: unknown) => Promise<Verdict>;

/** The script calls the peer. */
export const receiveParams: Attempt = async (peer, { name, kind }, params) => {
  if (kind === "notification") await peer.sendMessage({ method: name, params });
  const answer = kind === "request" ? await peer.request(name, params) : undefined;
  const { result } = await peer.request("_fault/seen");
  const [seen] = (result as { seen: { params: unknown; dropped: { rule: string }[] }[] }).seen;
  if (seen !== undefined) return { kind: "passed", value: seen.params, dropped: seen.dropped };
  // A notification has no response that could report the place.
  return { kind: "refused", hasPlace: kind === "notification" || hasPlace(answer?.error?.data) };
};

/** The peer calls the script, which answers with the value. */
export const receiveResult: Attempt = async (peer, { name, params }, result) => {
  const id = peer.post("_fault/call", { method: name, params: withOtherSession(params) });
  const call = await peer.message((message) => message.method === name || message.id === id);
  if (call.id === id) throw new Error(`${name} is not sent: ${JSON.stringify(call)}`);
  peer.answer(call, result);
  return verdictOf(await peer.response(id));
};

/** The script calls the peer, whose handler returns the value. */
export const sendResult: Attempt = async (peer, { name, params }, result) => {
  await peer.request("_fault/answer", { result });
  const answer = await peer.request(name, withOtherSession(params));
  await peer.request("_fault/seen");
  if (answer.error === undefined) return { kind: "passed", value: answer.result };
  return { kind: "refused", hasPlace: hasPlace(answer.error.data) };
};

let sessions = 0;

/** Params for a session of which nothing has been said: what it offers decides what may be chosen. */
function withOtherSession({ declared: [params] }: MethodValues["params"]): unknown {
  const isOfSession = typeof params === "object" && params !== null && "sessionId" in params;
  return isOfSession ? { ...params, sessionId: `session ${sessions++}` } : params;
}

/** The peer calls the script with the value. */
export const sendParams: Attempt = async (peer, method, params) => {
  const { name, kind, result } = method;
  const call = kind === "request" ? "_fault/call" : "_fault/notify";
  const id = peer.post(call, { method: name, params });
  const first = await peer.message((message) => message.method === name || message.id === id);
  if (first.id === id) return verdictOf(first);
  if (first.id !== undefined) peer.answer(first, result?.declared[0]);
  await peer.response(id);
  return { kind: "passed", value: first.params };
};

/** A peer's report of a call that it has made. */
function verdictOf({ result, error }: Message): Verdict {
  if (error !== undefined) return { kind: "refused", hasPlace: false };
  const outcome = result as {
    failed?: string;
    data?: unknown;
    value?: unknown;
    dropped?: { rule: string }[];
  };
  if (outcome.failed !== undefined) return { kind: "refused", hasPlace: hasPlace(outcome.data) };
  return { kind: "passed", value: outcome.value, dropped: outcome.dropped ?? [] };
}

/** Whether an error's data tells where the mistake is: in our forms, or as the tree that zod makes. */
function hasPlace(data: unknown): boolean {
  const { pointer, path, _errors } = (data ?? {}) as Readonly<Record<string, unknown>>;
  return typeof (pointer ?? path) === "string" || Array.isArray(_errors);
}
