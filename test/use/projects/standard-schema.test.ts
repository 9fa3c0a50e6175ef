import { sValidator } from "@hono/standard-validator";
import { initTRPC, TRPCError } from "@trpc/server";
import { PromptRequest, SessionNotification } from "acp-bindings/v1/schemas";
import { Hono } from "hono";
import { expect, test } from "vitest";

const valid = { sessionId: "s", prompt: [{ type: "text" as const, text: "Hi" }] };
const invalid = { sessionId: 5, prompt: [] };
const repairable = { sessionId: "s", update: { sessionUpdate: "plan" as const, entries: [5] } };

test("tRPC takes a schema as the input and the output of a procedure", async () => {
  const { procedure, router, createCallerFactory } = initTRPC.create();
  const prompt = procedure
    .input(PromptRequest)
    .output(SessionNotification)
    .query(({ input: { sessionId } }) => ({ ...repairable, sessionId }) as never);
  const caller = createCallerFactory(router({ prompt }))({});
  expect(await caller.prompt(valid)).toEqual({
    sessionId: "s",
    update: { sessionUpdate: "plan", entries: [] },
  });
  const refused = caller.prompt(invalid as never);
  await expect(refused).rejects.toBeInstanceOf(TRPCError);
  await expect(refused).rejects.toMatchObject({
    code: "BAD_REQUEST",
    cause: { name: "InvalidValueError", issues: [{ pointer: "/sessionId" }] },
  });
});

test("Hono takes a schema as the validator of a body", async () => {
  const app = new Hono().post("/prompt", sValidator("json", PromptRequest), (context) => {
    const { prompt } = context.req.valid("json");
    return context.json(prompt.map(({ type }) => type));
  });
  const post = (body: object): Promise<Response> =>
    Promise.resolve(
      app.request("/prompt", {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    );
  const accepted = await post(valid);
  expect([accepted.status, await accepted.json()]).toEqual([200, ["text"]]);
  const refused = await post(invalid);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: [{ path: ["sessionId"] }] });
});
