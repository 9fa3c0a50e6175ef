import * as sdk1 from "@agentclientprotocol/sdk";
import * as sdk2 from "@agentclientprotocol/sdk/experimental/v2";
import { bridge, type BridgeOptions } from "acp-bindings/bridge";
import { checkConformance, type TranscriptEntry } from "acp-bindings/conformance";
import { METHODS as METHODS_V1 } from "acp-bindings/v1-full";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";
import { expect, test } from "vitest";
import { HELLO } from "./hello.js";

type Params = { readonly [name: string]: unknown };

/** The other side, by the names of methods on the wire. */
interface Peer {
  readonly request: (method: string, params: Params) => Promise<Params>;
  readonly notify: (method: string, params: Params) => Promise<void>;
}

interface App {
  onRequest(method: string, handle: (call: { readonly params: Params }) => unknown): unknown;
  onNotification(method: string, handle: (call: { readonly params: Params }) => unknown): unknown;
  connect(stream: unknown): { readonly [role: string]: unknown };
}

const S = "s";
const text = (value: string): object => ({ type: "text", text: value });
const item = (outcome: unknown): object => ({
  type: "content",
  content: text(JSON.stringify(outcome)),
});
const call = { toolCallId: "c", title: "Run" };
const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
const entries = [{ content: "One", priority: "low", status: "completed" }];
const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };

/** Shows updates, asks for permission, and shows the answer. */
async function work(
  peer: Peer,
  question: object,
  before: readonly object[],
  after: (outcome: unknown) => readonly object[],
): Promise<void> {
  const show = (update: object): Promise<void> =>
    peer.notify("session/update", { sessionId: S, update });
  for (const update of before) await show(update);
  const params = { sessionId: S, options, ...question };
  const { outcome } = await peer.request("session/request_permission", params);
  for (const update of after(outcome)) await show(update);
}

/** Both conversations, as an observer at each side has them. */
interface Transcripts {
  readonly client: TranscriptEntry[];
  readonly agent: TranscriptEntry[];
}

/** A pair of connected streams: `[near, far]`. */
function streams(
  observe: (from: "near" | "far", message: unknown) => void = () => {},
): [BridgeOptions["client"], BridgeOptions["client"]] {
  const pipe = (from: "near" | "far"): TransformStream<unknown, unknown> =>
    new TransformStream(
      {
        transform: (message, controller) => {
          const copy = JSON.parse(JSON.stringify(message)) as unknown;
          observe(from, copy);
          controller.enqueue(copy);
        },
      },
      { highWaterMark: 64 },
      { highWaterMark: 64 },
    );
  const [there, back] = [pipe("near"), pipe("far")];
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

/** Returns the violations of both conversations, without what depends on the order of crossing messages. */
function violations(
  transcripts: Transcripts,
  versions: { readonly client: 1 | 2; readonly agent: 1 | 2 },
): readonly string[] {
  return (["client", "agent"] as const).flatMap((side) =>
    checkConformance(transcripts[side], {
      version: versions[side],
      methods: versions[side] === 1 ? METHODS_V1 : METHODS_V2,
    }).map(({ rule, message }) => `${side} v${versions[side]} ${rule}: ${message}`),
  );
}

/** What an agent of each version does in a turn. Returns the answer to the prompt. */
const TURNS: { readonly [version: number]: (peer: Peer) => Promise<object> } = {
  1: async (peer) => {
    const before = [
      { sessionUpdate: "agent_thought_chunk", content: text("Hm") },
      { sessionUpdate: "agent_message_chunk", content: text("Hello") },
      { sessionUpdate: "tool_call", ...call, kind: "execute", status: "pending" },
    ];
    await work(peer, { toolCall: call }, before, (outcome) => [
      { sessionUpdate: "tool_call_update", toolCallId: "c", content: [item(outcome)] },
      { sessionUpdate: "plan", entries },
    ]);
    return { stopReason: "end_turn" };
  },
  2: async (peer) => {
    const before = [
      { sessionUpdate: "user_message", messageId: "u", content: [text("Go")] },
      { sessionUpdate: "state_update", state: "running" },
      { sessionUpdate: "agent_thought_chunk", messageId: "t", content: text("Hm") },
      { sessionUpdate: "agent_message", messageId: "a", content: [text("Hello")] },
      { sessionUpdate: "tool_call_update", ...call, kind: "execute", status: "pending" },
    ];
    const question = { title: "Run", subject: { type: "tool_call", toolCall: call } };
    setTimeout(
      () =>
        void work(peer, question, before, (outcome) => [
          { sessionUpdate: "tool_call_content_chunk", toolCallId: "c", content: item(outcome) },
          { sessionUpdate: "plan_update", plan: { type: "items", planId: "main", entries } },
          idle,
        ]),
    );
    return { messageId: "u" };
  },
};

/** Starts an agent of the official SDK. */
function startAgent(version: 1 | 2, stream: BridgeOptions["agent"]): void {
  const sdk = version === 1 ? sdk1 : sdk2;
  const app = sdk.agent({ name: "agent" }) as unknown as App;
  const connected: { peer?: Peer } = {};
  const answers = {
    initialize: () => (version === 1 ? HELLO.agent1 : HELLO.agent2),
    "session/new": () => ({ sessionId: S }),
    "session/prompt": () => TURNS[version]!(connected.peer!),
  };
  for (const [method, answer] of Object.entries(answers)) app.onRequest(method, answer);
  connected.peer = app.connect(stream)["client"] as Peer;
}

test.each([
  [1, 2, ["agent_thought_chunk", "agent_message_chunk", "tool_call", "tool_call_update", "plan"]],
  [
    2,
    1,
    [
      ...["user_message", "running", "agent_thought_chunk", "agent_message_chunk"],
      ...["tool_call_update", "plan_update", "idle"],
    ],
  ],
] as const)(
  "a client of version %i and an agent of version %i communicate, both on the official SDK",
  async (version, agentVersion, expected) => {
    const transcripts: Transcripts = { client: [], agent: [] };
    const [near, client] = streams((from, message) =>
      transcripts.client.push({ from: from === "near" ? "client" : "agent", message }),
    );
    const [far, agent] = streams((from, message) =>
      transcripts.agent.push({ from: from === "near" ? "agent" : "client", message }),
    );
    void bridge({ client, agent, agentVersion });
    startAgent(agentVersion, far);
    const sdk = version === 1 ? sdk1 : sdk2;
    const app = sdk.client({ name: "client" }) as unknown as App;
    const updates: Params[] = [];
    app.onNotification("session/update", ({ params }) => updates.push(params["update"] as Params));
    const outcome = { outcome: "selected", optionId: "y" };
    app.onRequest("session/request_permission", () => ({ outcome }));
    const peer = app.connect(near)["agent"] as Peer;
    await peer.request("initialize", version === 1 ? HELLO.client1 : HELLO.client2);
    await peer.request("session/new", { cwd: "/", mcpServers: [] });
    const prompt = [text("Go")];
    const answer = await peer.request("session/prompt", { sessionId: S, prompt });
    // Until everything that was sent has arrived.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answer).toMatchObject(
      version === 1 ? { stopReason: "end_turn" } : { messageId: "message-1" },
    );
    const kinds = updates.map(({ sessionUpdate, state }) => state ?? sessionUpdate);
    expect([...new Set(kinds)]).toEqual(expected);
    expect(JSON.stringify(updates)).toContain("selected");
    expect(violations(transcripts, { client: version, agent: agentVersion })).toEqual([]);
  },
);
