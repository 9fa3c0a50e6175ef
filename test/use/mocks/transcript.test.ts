import { checkConformance } from "acp-bindings/conformance";
import { createAgent, METHODS } from "acp-bindings/v1";
import { connectMocks } from "acp-bindings/v1/mocks";
import { expect, test } from "vitest";

const COMMANDS = { sessionUpdate: "available_commands_update", availableCommands: [] } as const;

test("what follows a response is behind it in the transcript, and after its caller", async () => {
  const agent = createAgent({
    info: { name: "test", version: "1" },
    handlers: {
      session: {
        new: (_params, { afterResponse, client }) => {
          afterResponse(() => client.session.update({ sessionId: "s", update: COMMANDS }));
          return { sessionId: "s" };
        },
        prompt: () => ({ stopReason: "end_turn" }),
      },
    },
  });
  await using mock = await connectMocks(agent);
  await mock.client.newSession({ cwd: "/" });
  expect(mock.paramsOf("session/update")).toEqual([]);
  await mock.client.session("s").prompt("Hello");
  expect(mock.paramsOf("session/update")).toHaveLength(1);
  expect(mock.transcript.map(({ from, message }) => [from, kindOf(message)])).toEqual([
    ["client", "initialize"],
    ["agent", "response"],
    ["client", "session/new"],
    ["agent", "response"],
    ["agent", "session/update"],
    ["client", "session/prompt"],
    ["agent", "response"],
  ]);
  expect(checkConformance(mock.transcript, { methods: METHODS })).toEqual([]);
});

test("a transcript has the messages as they were sent, whatever a handler does to them", async () => {
  const content = { type: "text", text: "Hello" } as const;
  const update = { sessionUpdate: "agent_message_chunk", content } as const;
  const agent = createAgent({
    info: { name: "test", version: "1" },
    handlers: {
      session: {
        new: () => ({ sessionId: "s" }),
        prompt: async ({ sessionId }, { client }) => {
          await client.session.update({ sessionId, update });
          return { stopReason: "end_turn" };
        },
      },
    },
  });
  const change = (params: { update: object }): void =>
    void Object.assign(params.update, { content: undefined });
  await using mock = await connectMocks(agent, { handlers: { session: { update: change } } });
  await mock.client.agent.session.prompt({ sessionId: "s", prompt: [] });
  const sent = mock.transcript.find(({ message }) => kindOf(message) === "session/update");
  expect(sent).toMatchObject({ from: "agent", message: { params: { update } } });
});

function kindOf(message: unknown): string {
  return (message as { readonly method?: string }).method ?? "response";
}
