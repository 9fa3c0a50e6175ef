import { describe, expect, test } from "vitest";
import { memoryTransports } from "../../../../templates/typescript/runtime/rpc/transports/transport.js";
import {
  NotInitializedError,
  RpcError,
} from "../../../../templates/typescript/runtime/rpc/errors.js";
import {
  defineRole,
  type HandlerContext,
  type Role,
  type RoleDefinition,
} from "../../../../templates/typescript/runtime/role/role.js";
import { handleMessage } from "../../../../templates/typescript/runtime/role/handle-message.js";
import type { RequestContext } from "../../../../templates/typescript/runtime/role/request-context.js";
import { initialize } from "../../../../templates/typescript/runtime/role/open-client.js";
import { RoleSession } from "../../../../templates/typescript/runtime/role/role-session.js";
import { METHODS, CHECKS } from "./mini.js";
import { createWire, notification, request, result, settle, type Wire } from "./wire.js";

const SECRET = "hunter2";

describe("the handshake", () => {
  test("with an invalid answer is rejected with the place of the mistake", async () => {
    const { session, wire } = call();
    const initialized = initialize(session);
    wire.send(result(0, { protocolVersion: SECRET }));
    await expect(initialized).rejects.toMatchObject({
      code: -32603,
      message: "initialize was answered with an invalid result at /protocolVersion (rule type)",
      data: { pointer: "/protocolVersion", rule: "type" },
    });
    await expect(peerOf(session)["work"]!["do"]!({ text: "" })).rejects.toThrow(
      NotInitializedError,
    );
  });
});

describe("a request", () => {
  test("reaches its handler with its params, its context and the peer", async () => {
    const seen: unknown[] = [];
    const { wire } = await serveInitialized({
      handlers: {
        work: {
          do: (params: unknown, context: unknown) => {
            seen.push(params, context);
            return { text: "done" };
          },
          stop: () => {},
        },
      },
    });
    wire.send(request("a", "work/do", { text: "x", sessionId: "s", unknown: [1] }));
    expect(await wire.next()).toEqual({ jsonrpc: "2.0", id: "a", result: { text: "done" } });
    expect(seen).toEqual([
      { text: "x", sessionId: "s", unknown: [1] },
      {
        method: "work/do",
        requestId: "a",
        sessionId: "s",
        signal: expect.any(AbortSignal) as unknown,
        client: expect.any(Object) as unknown,
        afterResponse: expect.any(Function) as unknown,
        supports: expect.any(Function) as unknown,
        handshake: { request: { protocolVersion: 1 }, response: { protocolVersion: 1 } },
      },
    ]);
  });

  test("without an id is reported and counted as malformed", async () => {
    const { wire, reports, handled, session } = await serveInitialized();
    wire.send(notification("work/do", { text: "" }), request(1, "work/do", { text: "probe" }));
    expect(await wire.next()).toMatchObject({ id: 1, result: { text: "probe" } });
    expect(handled).toEqual(["do"]);
    expect(reports).toMatchObject([
      { message: "work/do is a request, but came without an id and was ignored" },
    ]);
    expect(session.handle.stats).toMatchObject({ malformed: 1, ignored: 0 });
  });

  test("for a method is distinguished from those of the other side and of the other kind with its name", async () => {
    const { wire } = await serveInitialized({
      handlers: { work: { do: echo, stop: () => {} }, both: echo },
    });
    wire.send(request(1, "both", { text: "ours" }));
    expect(await wire.next()).toMatchObject({ id: 1, result: { text: "ours" } });
  });
});

describe("functions for after the response", () => {
  /** The context of the requests of a test. */
  type Context = HandlerContext & RequestContext & { readonly client: Peer };
  type Do = (params: unknown, context: Context) => unknown;

  const serveDo = (handler: Do): ReturnType<typeof serveInitialized> =>
    serveInitialized({ handlers: { work: { do: handler as Handler, stop: () => {} } } });

  test.each(["synchronous", "asynchronous"])(
    "run in order behind it and before the next message: the handler is %s",
    async (kind) => {
      const order: string[] = [];
      let late: ((run: () => unknown) => void) | undefined;
      const { wire, reports } = await serveDo((params, { afterResponse, client }) => {
        if ((params as { readonly text: string }).text === "next") order.push("next");
        else {
          late = afterResponse;
          const tell = (text: string) => (): unknown => (
            order.push(text),
            client["tell"]!({ text })
          );
          afterResponse(tell("first"));
          afterResponse(async () => {
            await Promise.resolve();
            throw new Error("rejected");
          });
          afterResponse(() => {
            afterResponse(tell("third"));
            throw new Error("thrown");
          });
          afterResponse(tell("second"));
        }
        return kind === "synchronous" ? params : Promise.resolve(params);
      });
      wire.send(request(1, "work/do", { text: "" }));
      if (kind === "asynchronous") await settle();
      wire.send(request(2, "work/do", { text: "next" }));
      const sent = [1, 2, 3, 4, 5].map(() => wire.next());
      expect(await Promise.all(sent)).toMatchObject([
        { id: 1, result: {} },
        { params: { text: "first" } },
        { params: { text: "second" } },
        { params: { text: "third" } },
        { id: 2, result: {} },
      ]);
      expect(order).toEqual(["first", "second", "third", "next"]);
      await settle();
      expect(reports).toMatchObject([{ message: "thrown" }, { message: "rejected" }]);
      late!(() => order.push("late"));
      expect(order.at(-1)).toBe("late");
    },
  );

  test.each<[string, Do]>([
    ["throws", () => Promise.reject(RpcError.internal("no"))],
    ["has a result that JSON cannot represent", () => ({ text: "", more: 1n })],
    ["has an invalid result", () => ({ text: 1 })],
  ])("are dropped when the handler %s", async (_, handler) => {
    const run: string[] = [];
    let late: ((run: () => unknown) => void) | undefined;
    const { wire } = await serveDo((params, context) => {
      late = context.afterResponse;
      context.afterResponse(() => run.push("run"));
      return handler(params, context);
    });
    wire.send(request(1, "work/do", { text: "" }));
    expect(await wire.next()).toMatchObject({ error: { code: -32603 } });
    late!(() => run.push("late"));
    expect(run).toEqual([]);
  });

  test("run after the caller of `handle` has continued", async () => {
    const order: string[] = [];
    const role = definition("agent", {
      handlers: {
        work: {
          do: ((params, { afterResponse }) => {
            afterResponse(() => order.push("after the response"));
            return params;
          }) as Do as Handler,
          stop: () => {},
        },
      },
    });
    const answered = handleMessage(role, request(1, "work/do", { text: "" }));
    await answered.then(async (response) => order.push(JSON.stringify(response)));
    await settle();
    expect(order).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"text":""}}', "after the response"]);
  });
});

describe("a call", () => {
  test("for a mode that this side did not advertise is refused when it comes", async () => {
    const { session, wire } = call({
      advertised: { clientCapabilities: { choose: { form: {} } } },
      handlers: { tell: () => {}, choose: echo },
    });
    const initialized = initialize(session);
    wire.send(result((await wire.next()).id, { protocolVersion: 1 }));
    await initialized;
    wire.send(request(1, "choose", { mode: "url", text: SECRET }));
    expect(await wire.nextLine()).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params at /mode (rule capability)",' +
        '"data":{"pointer":"/mode","rule":"capability"}}}',
    );
    wire.send(request(2, "choose", { mode: "form", text: "fine" }));
    expect(await wire.next()).toMatchObject({ id: 2, result: { text: "fine" } });
  });
});

type Call = (params: unknown) => Promise<unknown>;
type Peer = Record<string, Call>;
type Handler = (params: unknown, context: HandlerContext<unknown>) => unknown;
/** The options of a role that a test gives. */
interface Given extends Partial<Pick<RoleDefinition<object, never>, "advertised">> {
  readonly handlers?: Record<string, Handler | Record<string, Handler>>;
}

function echo(params: unknown): unknown {
  return params;
}

function peerOf(session: RoleSession<object>): Record<string, Peer> {
  return session.peer as Record<string, Peer>;
}

function definition(role: "agent" | "client", given: Given, reports: unknown[] = []): Role<object> {
  return defineRole<object>({
    role,
    protocolVersion: 1,
    methods: METHODS,
    checks: CHECKS,
    capabilities: { agent: "agentCapabilities", client: "clientCapabilities" },
    advertised: {},
    handlers: {},
    onError: (error) => void reports.push(error),
    ...given,
  });
}

/** An agent, and the wire of its client. */
function serve(given: Given = {}): {
  session: RoleSession<object>;
  wire: Wire;
  handled: string[];
  reports: unknown[];
} {
  const wire = createWire();
  const handled: string[] = [];
  const reports: unknown[] = [];
  const work = {
    do: (params: unknown) => {
      handled.push("do");
      return params;
    },
    stop: () => void handled.push("stop"),
  };
  const role = definition("agent", { handlers: { work }, ...given }, reports);
  return { session: new RoleSession(role, wire.transport), wire, handled, reports };
}

async function serveInitialized(given: Given = {}): Promise<ReturnType<typeof serve>> {
  const served = serve(given);
  served.wire.send(request(0, "initialize", { protocolVersion: 1 }));
  await served.wire.next();
  return served;
}

/** A client, and the wire of its agent. */
function call(given: Given = {}): { session: RoleSession<object>; wire: Wire } {
  const wire = createWire();
  const role = definition("client", { handlers: { tell: () => {} }, ...given });
  return { session: new RoleSession(role, wire.transport), wire };
}

test("a method whose name is a key of prototypes is a method like any other", async () => {
  const handler = ["__proto__", "polluted"];
  const method = { ...METHODS.find(({ name }) => name === "work/do")!, handler };
  const [near] = memoryTransports();
  const session = new RoleSession(
    { ...definition("client", { handlers: { tell: () => {} } }), methods: [...METHODS, method] },
    near,
  );
  expect("polluted" in {}).toBe(false);
  const group = Object.getOwnPropertyDescriptor(session.peer, "__proto__")?.value as object;
  expect(Object.keys(group)).toEqual(["polluted"]);
  session.connection.close();
});
