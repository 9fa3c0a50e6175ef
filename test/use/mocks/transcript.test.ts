import { createAgent } from "acp-bindings/v1";
import { connectMocks } from "acp-bindings/v1/mocks";
import { expect, test } from "vitest";

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
