import type { ClientConnection } from "acp-bindings/v1";
import { expect, test } from "vitest";
import { connectToRaw, type RawMessage } from "../peers/raw-peer.js";

const CANCEL = { sessionId: "s" };
const PROMPT = { sessionId: "s", prompt: [] };
const OUTCOME = { outcome: { outcome: "cancelled" } };

type Cancelling = (connection: ClientConnection) => Promise<unknown>;

const WAYS: { readonly [name: string]: Cancelling } = {
  "turn.cancel": async (connection) => {
    const turn = connection.session("s").prompt("Hello");
    await pause();
    turn.cancel();
    await turn;
  },
  "session.cancel": async (connection) => {
    const turn = connection.session("s").prompt("Hello");
    await connection.session("s").cancel();
    await turn;
  },
  "leaving a loop": async (connection) => {
    for await (const _ of connection.session("s").prompt("Hello")) break;
  },
  "a call by name": async ({ agent }) => {
    const prompt = agent.request("session/prompt", PROMPT);
    await agent.notify("session/cancel", CANCEL);
    await prompt;
  },
  "the signal of a call": async ({ agent }) => {
    const controller = new AbortController();
    const prompt = agent.session.prompt(PROMPT, { signal: controller.signal });
    controller.abort();
    await prompt;
  },
};

test.each(Object.keys(WAYS))(
  "questions that cross a cancellation do not reach the user: %s",
  async (way) => {
    let asked = 0;
    const agent = await connectToRaw(
      ({ id, method }) => {
        if (method === "session/prompt") {
          prompts.push(id);
          return update;
        }
        if (method !== "session/cancel") return undefined;
        return [permission(1), elicitation(2), answerTo(prompts.at(-1)), permission(3)].join("\n");
      },
      {
        capabilities: { elicitation: { form: {} } },
        handlers: {
          session: { update: () => {}, requestPermission: () => (asked++, OUTCOME as never) },
          elicitation: { create: () => (asked++, { action: "decline" }) },
        },
      },
    );
    const prompts: unknown[] = [];
    await WAYS[way]!(agent.connection);
    await pause();
    const next = agent.connection.agent.session.prompt(PROMPT);
    await pause();
    expect(asked).toBe(0);
    agent.write(permission(4));
    agent.write(answerTo(prompts.at(-1)));
    await next;
    expect(asked).toBe(1);
    const answers = agent.received.filter(({ method }) => method === undefined);
    expect(answers.map(({ id, result }: RawMessage) => [id, result])).toEqual([
      [1, OUTCOME],
      [2, { action: "cancel" }],
      [3, OUTCOME],
      [4, OUTCOME],
    ]);
    expect(agent.errors).toEqual([]);
  },
);

const line = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message });

const update = line({
  method: "session/update",
  params: {
    sessionId: "s",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi" } },
  },
});

const answerTo = (id: unknown): string => line({ id, result: { stopReason: "cancelled" } });

const permission = (id: number): string =>
  line({
    id,
    method: "session/request_permission",
    params: { sessionId: "s", toolCall: { toolCallId: "t" }, options: [] },
  });

const elicitation = (id: number): string =>
  line({
    id,
    method: "elicitation/create",
    params: {
      sessionId: "s",
      mode: "form",
      message: "Which one?",
      requestedSchema: { type: "object", properties: {} },
    },
  });

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
