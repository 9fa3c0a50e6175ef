import * as v1 from "acp-bindings/v1";
import { connectMocks, createMockClient, type MockUser } from "acp-bindings/v1/mocks";
import { describe, expect, test } from "vitest";

const agent = v1.createAgent({
  info: { name: "tested", version: "1.0.0" },
  handlers: {
    session: { new: () => ({ sessionId: "s" }), prompt: () => ({ stopReason: "end_turn" }) },
  },
});

const OPTIONS = [
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Once", kind: "allow_once" },
] as const;

type Options = v1.ClientRequests["session/request_permission"]["params"]["options"];

/** Asks a user for permission, once for each list of options. */
async function ask(user: MockUser | undefined, ...lists: readonly Options[]): Promise<unknown[]> {
  const connected = await connectMocks(agent, user && { user });
  const answers: unknown[] = [];
  for (const options of lists.length === 0 ? [OPTIONS] : lists) {
    const params = { sessionId: "s", toolCall: { toolCallId: "c" }, options };
    answers.push(
      await connected.agent.client.session.requestPermission(params).then(
        ({ outcome }) => (outcome.outcome === "selected" ? outcome.optionId : outcome.outcome),
        ({ message }: Error) => message,
      ),
    );
  }
  connected.close();
  return answers;
}

describe("a scripted user answers permission requests", () => {
  test("by default with the first option that allows the call, or cancels", async () => {
    expect(await ask(undefined, OPTIONS, [OPTIONS[0]], [])).toEqual([
      "always",
      "cancelled",
      "cancelled",
    ]);
  });

  test("only with options that the request has", async () => {
    expect(await ask({ permission: "reject_always" })).toEqual([
      'The scripted user finds no option with the kind "reject_always"',
    ]);
    expect(await ask({ permission: { optionId: "maybe" } })).toEqual([
      'The scripted user finds no option with the optionId "maybe"',
    ]);
  });

  test("that exist, for the compiler and at run time", () => {
    const kinds = '"allow_once", "allow_always", "reject_once", "reject_always", "cancelled"';
    const message = `user.permission must be ${kinds} or { optionId }`;
    // @ts-expect-error -- not a kind of the protocol.
    expect(() => createMockClient({ user: { permission: "allow" } })).toThrow(message);
    // @ts-expect-error -- one of the list is not a kind.
    expect(() => createMockClient({ user: { permission: ["allow_once", "yes"] } })).toThrow(
      message,
    );
    // @ts-expect-error -- there is no such question.
    expect(() => createMockClient({ user: { permision: "allow_once" } })).toThrow(
      'user.permision is not an option (did you mean "permission"?)',
    );
    // @ts-expect-error -- the outcome is not an answer.
    createMockClient({ user: { permission: () => ({ outcome: "cancelled" }) } });
  });
});

describe("a scripted user answers elicitations", () => {
  const capabilities = { elicitation: { form: {} } };
  const FORM = {
    sessionId: "s",
    mode: "form",
    message: "Who?",
    requestedSchema: { type: "object", properties: { name: { type: "string", default: "Eve" } } },
  } as const;

  async function elicit(elicitation: MockUser["elicitation"]): Promise<unknown> {
    const mock = await connectMocks(agent, {
      capabilities,
      onError: () => {},
      ...(elicitation !== undefined && { user: { elicitation } }),
    });
    const { sessionId, ...form } = FORM;
    const answer = await mock.agent.session(sessionId).client.elicitation.create?.(form);
    expect(mock.paramsOf("elicitation/create")).toEqual([FORM]);
    mock.close();
    return answer;
  }

  test("by declining, by default", async () => {
    expect(await elicit(undefined)).toEqual({ action: "decline" });
  });

  test("with an action, the content of a form, a list or a function", async () => {
    expect(await elicit("cancel")).toEqual({ action: "cancel" });
    expect(await elicit("accept")).toEqual({ action: "accept", content: { name: "Eve" } });
    const accepted = { action: "accept", content: { name: "Ada" } };
    expect(await elicit({ name: "Ada" })).toEqual(accepted);
    expect(await elicit([{ name: "Ada" }])).toEqual(accepted);
    expect(
      await elicit(({ message }) => (message === "Who?" ? { name: "Ada" } : "cancel")),
    ).toEqual(accepted);
  });

  test("with content that fits the form", async () => {
    const unfit = elicit({ name: 5 });
    await expect(unfit).rejects.toThrow("/content/name (rule type)");
    await expect(unfit).rejects.toMatchObject({ code: -32603, origin: "remote" });
  });

  test("with answers that exist", () => {
    const user: object = { elicitation: "yes" };
    expect(() => createMockClient({ capabilities, user })).toThrow(
      'user.elicitation must be "accept", "decline", "cancel" or an object with the content',
    );
  });

  test("not without the capability", () => {
    expect(() => createMockClient({ user: { elicitation: "decline" } })).toThrow(
      "user.elicitation is given, but clientCapabilities.elicitation is not advertised",
    );
  });
});
