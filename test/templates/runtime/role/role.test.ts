import { describe, expect, test } from "vitest";
import { memoryTransports } from "../../../../templates/runtime/rpc/transport.js";
import {
  CapabilityError,
  NotInitializedError,
  RpcError,
} from "../../../../templates/runtime/rpc/errors.js";
import {
  defineNotification,
  defineRequest,
  type HandledExtension,
} from "../../../../templates/runtime/role/extensions/extension.js";
import {
  defineRole,
  type HandlerContext,
  type Role,
  type RoleDefinition,
} from "../../../../templates/runtime/role/role.js";
import { handleMessage } from "../../../../templates/runtime/role/handle-message.js";
import type { RequestContext } from "../../../../templates/runtime/role/request-context.js";
import { RoleSession } from "../../../../templates/runtime/role/role-session.js";
import { METHODS, CHECKS } from "./mini.js";
import {
  createWire,
  notification,
  request,
  result,
  settle,
  uncaughtDuring,
  type Wire,
} from "./wire.js";

const SECRET = "hunter2";

describe("the handshake", () => {
  test("whose params are invalid is refused, and does not count", async () => {
    const { wire } = serve();
    wire.send(request(1, "initialize", { protocolVersion: SECRET }), request(2, "work/do"));
    const lines = [await wire.nextLine(), await wire.nextLine()].sort();
    expect(lines[0]).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params at /protocolVersion (rule type)",' +
        '"data":{"pointer":"/protocolVersion","rule":"type"}}}',
    );
    expect(JSON.parse(lines[1]!)).toMatchObject({ id: 2, error: { code: -32600 } });
  });

  test("lets requests follow it without waiting for its answer", async () => {
    const { wire } = serve();
    wire.send(
      request(1, "initialize", { protocolVersion: 1 }),
      request(2, "work/do", { text: "" }),
    );
    expect([(await wire.next()).id, (await wire.next()).id].sort()).toEqual([1, 2]);
  });

  test("with an invalid answer is rejected with the place of the mistake", async () => {
    const { session, wire } = call();
    const initialized = session.initialize();
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

  test("has ended for the message right behind its response, which is handled after its caller", async () => {
    const handled: unknown[] = [];
    const { session, wire } = call({
      handlers: { tell: (params: unknown) => void handled.push(params) },
    });
    const initialized = session.initialize();
    wire.send(
      result(0, { protocolVersion: 1 }),
      notification("tell", { text: "early" }),
      request(7, "_extension"),
    );
    await initialized;
    expect(handled).toEqual([]);
    await wire.next();
    expect(await wire.next()).toMatchObject({ id: 7, error: { code: -32601 } });
    expect(handled).toEqual([{ text: "early" }]);
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

  test.each([true, false])(
    "for a method that needs a capability of the other side is handled when that was advertised: %s",
    async (ask) => {
      const { wire } = serve({
        handlers: { work: { do: echo, stop: () => {}, back: echo } },
      });
      wire.send(request(1, "initialize", { protocolVersion: 1, clientCapabilities: { ask } }));
      await wire.next();
      wire.send(request(2, "work/back", { text: "back" }));
      expect(await wire.next()).toMatchObject(
        ask ? { id: 2, result: { text: "back" } } : { id: 2, error: { code: -32601 } },
      );
    },
  );

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

describe("a notification", () => {
  test("that is invalid is reported with place and rule", async () => {
    const { wire, reports } = await serveInitialized();
    wire.send(notification("work/stop", { text: 5 }), request(1, "work/do", { text: "" }));
    await wire.next();
    expect(reports).toMatchObject([{ code: -32602, data: { pointer: "/text", rule: "type" } }]);
  });
});

describe("an extension", () => {
  test("is handled by its name, in both kinds, with any params and any result", async () => {
    const handled: unknown[] = [];
    const { wire } = await serveInitialized({
      extensions: [
        defineRequest({ method: "_vendor/r" }).handle(
          (params, { method }: HandlerContext<unknown>) => [method, params],
        ),
        defineNotification({ method: "_vendor/n" }).handle((params) => void handled.push(params)),
      ],
    });
    wire.send(notification("_vendor/n", [1]), request(1, "_vendor/r", "anything"));
    expect(await wire.next()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: ["_vendor/r", "anything"],
    });
    expect(handled).toEqual([[1]]);
  });

  test("is called by its name, unchecked, in both kinds", async () => {
    const { session, wire } = await callInitialized();
    const peer = session.peer as unknown as {
      request(method: string, params: unknown): Promise<unknown>;
      notify(method: string, params: unknown): Promise<void>;
    };
    await peer.notify("_vendor/n", 1);
    const answered = peer.request("_vendor/r", [2]);
    expect(await wire.next()).toEqual({ jsonrpc: "2.0", method: "_vendor/n", params: 1 });
    const { id, ...rest } = await wire.next();
    expect(rest).toEqual({ jsonrpc: "2.0", method: "_vendor/r", params: [2] });
    wire.send(result(id, "anything"));
    await expect(answered).resolves.toBe("anything");
  });
});

describe("a call", () => {
  test("before the handshake is refused on this side", async () => {
    const { session, wire } = call();
    await expect(peerOf(session)["work"]!["do"]!({ text: "" })).rejects.toThrow(
      "work/do cannot be called before initialize has been answered",
    );
    await expect(peerOf(session)["work"]!["stop"]!({ text: "" })).rejects.toThrow(
      NotInitializedError,
    );
    await settle();
    expect(wire.unread).toEqual([]);
  });

  test.each<[string, object, boolean]>([
    ["absent", {}, false],
    ["null", { agentCapabilities: { work: { more: null } } }, false],
    ["of another type on the way", { agentCapabilities: { work: true } }, false],
    ["present", { agentCapabilities: { work: { more: {} } } }, true],
  ])("needs the capability that the agent advertised: %s", async (_, advertised, open) => {
    const { session, wire } = await callInitialized(advertised);
    const more = peerOf(session)["work"]!["more"];
    if (!open) {
      expect(more).toBeUndefined();
      await expect(byName(session)("work/more", { text: "" })).rejects.toMatchObject({
        name: "CapabilityError",
        method: "work/more",
        capability: "agentCapabilities.work.more",
      });
      expect(wire.unread).toEqual([]);
      return;
    }
    const called = more!({ text: "" });
    const { id, method } = await wire.next();
    expect(method).toBe("work/more");
    wire.send(result(id, { text: "more" }));
    await expect(called).resolves.toEqual({ text: "more" });
  });

  test.each<[string, unknown, boolean]>([
    ["absent", undefined, false],
    ["false", false, false],
    ["an object", {}, false],
    ["true", true, true],
  ])("needs the capability that the client advertised: %s", async (_, ask, open) => {
    const { session, wire } = serve();
    wire.send(request(1, "initialize", { protocolVersion: 1, clientCapabilities: { ask } }));
    await wire.next();
    expect("ask" in session.peer && session.peer.ask !== undefined).toBe(open);
    const called = byName(session)("ask", { text: "" });
    if (open) expect(await wire.next()).toMatchObject({ method: "ask" });
    else await expect(called).rejects.toThrow(CapabilityError);
    if (open) called.catch(() => {});
    expect(wire.unread).toEqual([]);
    session.connection.close();
  });

  test.each<[string, unknown, string, boolean]>([
    ["that mode", { form: {} }, "form", true],
    ["another mode", { url: {} }, "form", false],
    ["no mode", {}, "form", false],
    ["a mode that is null", { form: null }, "form", false],
    ["nothing", undefined, "form", false],
    ["a mode from the prototype", {}, "toString", false],
  ])("needs the mode that the client advertised: %s", async (_, choose, mode, open) => {
    const { session, wire } = serve();
    wire.send(request(1, "initialize", { protocolVersion: 1, clientCapabilities: { choose } }));
    await wire.next();
    const isEmpty = Object.values((choose ?? {}) as object).every((value) => value === null);
    const called = byName(session)("choose", { mode, text: "" });
    if (open) {
      called.catch(() => {});
      expect(await wire.next()).toMatchObject({ method: "choose" });
    } else {
      await expect(called).rejects.toMatchObject({
        name: "CapabilityError",
        // Without any mode the method is missing, else the mode.
        capability: `clientCapabilities.choose${isEmpty ? "" : `.${mode}`}`,
      });
    }
    session.connection.close();
  });

  test("for a mode that this side did not advertise is refused when it comes", async () => {
    const { wire } = await callInitialized(
      {},
      {
        advertised: { clientCapabilities: { choose: { form: {} } } },
        handlers: { tell: () => {}, choose: echo },
      },
    );
    wire.send(request(1, "choose", { mode: "url", text: SECRET }));
    expect(await wire.nextLine()).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params at /mode (rule capability)",' +
        '"data":{"pointer":"/mode","rule":"capability"}}}',
    );
    wire.send(request(2, "choose", { mode: "form", text: "fine" }));
    expect(await wire.next()).toMatchObject({ id: 2, result: { text: "fine" } });
  });

  test("that is a notification may be left unawaited when the connection has closed", async () => {
    const uncaught = await uncaughtDuring(async () => {
      const { session } = await callInitialized();
      session.connection.close();
      void peerOf(session)["work"]!["stop"]!({ text: "" });
    });
    expect(uncaught).toEqual([]);
  });

  test("that is a notification before the handshake rejects", async () => {
    const uncaught = await uncaughtDuring(() => {
      const { session } = call();
      void peerOf(session)["work"]!["stop"]!({ text: "" });
    });
    expect(uncaught).toEqual([expect.any(NotInitializedError)]);
  });
});

type Call = (params: unknown) => Promise<unknown>;
type Peer = Record<string, Call>;
type Handler = (params: unknown, context: HandlerContext<unknown>) => unknown;
/** The options of a role that a test gives. */
interface Given extends Partial<Pick<RoleDefinition<object, never>, "advertised">> {
  readonly extensions?: readonly HandledExtension<never>[];
  readonly handlers?: Record<string, Handler | Record<string, Handler>>;
}

function echo(params: unknown): unknown {
  return params;
}

function peerOf(session: RoleSession<object>): Record<string, Peer> {
  return session.peer as Record<string, Peer>;
}

/** Calls by name reach a method whether or not it is advertised. */
function byName(
  session: RoleSession<object>,
): (method: string, params: unknown) => Promise<unknown> {
  return (session.peer as { request: (method: string, params: unknown) => Promise<unknown> })
    .request;
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

async function callInitialized(
  advertised: object = {},
  given: Given = {},
): Promise<ReturnType<typeof call>> {
  const called = call(given);
  const initialized = called.session.initialize();
  called.wire.send(result((await called.wire.next()).id, { protocolVersion: 1, ...advertised }));
  await initialized;
  return called;
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
