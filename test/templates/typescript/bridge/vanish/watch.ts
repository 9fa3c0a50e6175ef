import type { Json } from "../../../../../generators/schema/json-schema/json.js";
import { hasMarker, markedValues } from "../markers.js";
import { openCore, type OpenCore } from "../open-core.js";

export type Side = "client" | "agent";
export type Play = (opened: OpenCore) => void;

export const S = "session-1";

/** Losses that say of a whole message, or of everything in it that has no place, that it is left out. */
const WHOLE: ReadonlySet<string> = new Set([
  "details-left-out",
  "feature-not-advertised",
  "switch-not-advertised",
  "terminal-details",
]);

export const send =
  (from: Side, message: object): Play =>
  ({ core }) => {
    if (from === "client") core.fromClient({ jsonrpc: "2.0", ...message });
    else core.fromAgent({ jsonrpc: "2.0", ...message });
  };

export const update = (value: object): Play =>
  send("agent", { method: "session/update", params: { sessionId: S, update: value } });

/** Answers the last request that a side has received. */
export const answer =
  (from: Side, result: Json): Play =>
  (opened) => {
    const { id } = lastRequest(opened, from)!;
    send(from, { id, result })(opened);
  };

export function lastRequest(
  { sent }: Said,
  to: Side,
): { readonly [name: string]: unknown } | undefined {
  return sent[to].findLast(({ id, method }) => id !== undefined && method !== undefined);
}

/** What a bridge has sent and lost. */
type Said = Pick<OpenCore, "sent" | "losses">;

/** Plays some messages, and one whose effect is watched until the conversation has continued. */
export function watch(
  version: 1 | 2,
  before: readonly Play[],
  play: Play,
  after: readonly Play[],
): Said {
  const opened = openCore(version);
  for (const one of before) one(opened);
  const { sent, losses } = opened;
  const [toClient, toAgent, lost] = [sent.client.length, sent.agent.length, losses.length];
  for (const one of [play, ...after]) one(opened);
  return {
    sent: { client: sent.client.slice(toClient), agent: sent.agent.slice(toAgent) },
    losses: losses.slice(lost),
  };
}

/** Returns the pointers of the marked properties that neither arrive nor are reported. */
export function vanished(
  version: 1 | 2,
  before: readonly Play[],
  make: (value: Json) => Play,
  after: readonly Play[],
  sample: Json,
): readonly string[] {
  const plain = watch(version, before, make(sample), after);
  const isRefused = [...plain.sent.client, ...plain.sent.agent].some(
    (message) => message["error"] !== undefined,
  );
  const isLeftOut = plain.losses.some(
    ({ kind, place, path }) => WHOLE.has(place) || (kind !== "approximate" && path === "/update"),
  );
  if (isRefused || isLeftOut) return [];
  return [...markedValues(sample)].flatMap(({ value, pointer, property }) => {
    const { sent, losses } = watch(version, before, make(value), after);
    if (hasMarker([sent.client, sent.agent]) || losses.length > plain.losses.length) return [];
    const isLost = losses.some(
      ({ kind, path }) =>
        kind !== "approximate" && path !== "" && `${pointer}/`.startsWith(`${path}/`),
    );
    return isLost ? [] : `${pointer}/${property}`;
  });
}

export const prompt = send("client", {
  id: "p",
  method: "session/prompt",
  params: { sessionId: S, prompt: [{ type: "text", text: "Go" }] },
});
export const state = (value: string, rest: object = {}): Play =>
  update({ sessionUpdate: "state_update", state: value, ...rest });
export const stop = state("idle", { stopReason: "end_turn" });
const call = update({
  sessionUpdate: "tool_call_update",
  toolCallId: "call",
  title: "Run",
  content: [{ type: "terminal", terminalId: "term" }],
});

/** The beginnings and ends of a turn, for a client of each version. */
export const TURNS: { readonly [version: number]: readonly [readonly Play[], readonly Play[]] } = {
  1: [
    [prompt, answer("agent", { messageId: "m" }), state("running"), call],
    [stop, update({ sessionUpdate: "terminal_update", terminalId: "term", exitStatus: {} })],
  ],
  2: [[prompt], [send("agent", { id: "p", result: { stopReason: "end_turn" } })]],
};
