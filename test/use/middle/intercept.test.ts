import { RpcError, type Intercept } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import { describe, expect, test } from "vitest";
import { connectInMemory, settled } from "../peers/in-memory.js";

const text = { type: "text", text: "Hi" } as const;
const chunk = (sessionId: string): v1.SessionNotification => ({
  sessionId,
  update: { sessionUpdate: "agent_message_chunk", content: text },
});

const prompt: v1.AgentHandlers["session"]["prompt"] = async ({ sessionId }, { client }) => {
  if (sessionId === "fail") throw RpcError.resourceNotFound();
  await client.session.update(chunk(sessionId));
  return { stopReason: "end_turn" };
};
const handlers = { session: { prompt } };

describe("an intercept function", () => {
  test("sees every call in both directions, as a logger like pino uses it", async () => {
    const lines: object[] = [];
    const logger = {
      info: (fields: object, message: string) => lines.push({ ...fields, message }),
    };
    const { client: connection } = await connectInMemory({
      handlers,
      intercept: async ({ direction, kind, method, sessionId, requestId }, next) => {
        let error: unknown;
        try {
          await next();
        } catch (thrown) {
          error = thrown;
        }
        const code = error instanceof RpcError ? error.code : undefined;
        logger.info({ direction, kind, sessionId, requestId, code }, method);
      },
    });
    await connection.agent.session.prompt({ sessionId: "s", prompt: [text] });
    // An error that the function catches is still the error of the call.
    const failed = connection.agent.session.prompt({ sessionId: "fail", prompt: [text] });
    await expect(failed).rejects.toMatchObject({ code: -32002 });
    await connection.agent.session.cancel({ sessionId: "s" });
    await settled();
    const prompt = { direction: "incoming", kind: "request", message: "session/prompt" };
    expect(lines).toEqual([
      { direction: "incoming", kind: "request", requestId: 0, message: "initialize" },
      { direction: "outgoing", kind: "notification", sessionId: "s", message: "session/update" },
      { ...prompt, sessionId: "s", requestId: 1 },
      { ...prompt, sessionId: "fail", requestId: 2, code: -32002 },
      { direction: "incoming", kind: "notification", sessionId: "s", message: "session/cancel" },
    ]);
  });

  test.each<[string, Intercept, RegExp]>([
    [
      "throws",
      () => {
        throw RpcError.invalidParams("Not today");
      },
      /Not today/,
    ],
    ["rejects", () => Promise.reject(new Error("secret")), /secret|Internal error/],
    [
      "calls next twice",
      async (_, next) => {
        await next();
        return next();
      },
      /intercept has to call next once|Internal error/,
    ],
    [
      "calls next late",
      async (_, next) => {
        await Promise.resolve();
        return next();
      },
      /before it awaits anything|Internal error/,
    ],
  ])("that %s fails its own call only", async (_, faulty, message) => {
    for (const side of ["agent", "client"] as const) {
      let isFaulty = false;
      const intercept: Intercept = (call, next) =>
        isFaulty && call.kind === "request" ? faulty(call, next) : next();
      const options = { agent: {}, client: {}, [side]: { intercept } };
      const { client: connection, errors } = await connectInMemory(
        { handlers, ...options.agent },
        options.client,
      );
      const call = (): Promise<unknown> =>
        connection.agent.session.prompt({ sessionId: "s", prompt: [text] });
      isFaulty = true;
      await expect(call()).rejects.toThrow(message);
      isFaulty = false;
      await expect(call()).resolves.toEqual({ stopReason: "end_turn" });
      // The text of an unexpected error stays on its side.
      if (side === "agent" && !message.test("Not today")) expect(errors).toHaveLength(1);
    }
  });
});
