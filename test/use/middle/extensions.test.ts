import {
  CapabilityError,
  defineNotification,
  defineRequest,
  type HandledExtension,
  type Note,
} from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import { expect, test } from "vitest";
import { z } from "zod";
import { connectInMemory, SESSION } from "../peers/in-memory.js";
import { info } from "../peers/raw-peer.js";

const review = defineRequest({
  method: "_acme.dev/review",
  params: z.object({ path: z.string(), depth: z.number().default(1) }),
  result: z.object({ verdict: z.string() }),
  advertise: { "acme.dev": { review: true } },
});
const note = defineNotification({
  method: "_acme.dev/note",
  params: z.object({ text: z.string() }),
});

test("is advertised in _meta, and decoded in both directions", async () => {
  const noted: string[] = [];
  const { client: connection, errors } = await connectInMemory({
    capabilities: { _meta: { other: 1 } },
    extensions: [
      review.handle(({ path, depth }, { method }) => ({ verdict: `${method} ${path} ${depth}` })),
      note.handle(({ text }) => void noted.push(text)),
    ],
  });
  const { agent, handshake } = connection;
  expect(handshake.response.agentCapabilities?._meta).toEqual({
    other: 1,
    "acme.dev": { review: true },
  });
  const { verdict } = await agent.request(review, { path: "/a" });
  expect(verdict).toBe("_acme.dev/review /a 1");
  await agent.notify(note, { text: "b" });
  await agent.notify("_acme.dev/note", {});
  await expect(agent.request("_acme.dev/review", { path: 1 })).rejects.toMatchObject({
    code: -32602,
    message: "Invalid params at /path (rule schema)",
    data: { pointer: "/path", rule: "schema" },
    method: "_acme.dev/review",
    origin: "remote",
  });
  expect(noted).toEqual(["b"]);
  expect(errors).toMatchObject([
    { code: -32602, origin: "local", method: "_acme.dev/note", data: { pointer: "/text" } },
  ]);
});

test("that the other side did not advertise fails on this side, named", async () => {
  const { client: connection } = await connectInMemory();
  const call = connection.agent.request(review, { path: "/a" });
  await expect(call).rejects.toThrow(CapabilityError);
  await expect(call).rejects.toThrow('agentCapabilities._meta["acme.dev"]');
});

test("that the other side did not advertise is called when the call says so", async () => {
  const { client: connection } = await connectInMemory();
  const options = { ignoreCapabilities: true };
  const call = connection.agent.request(review, { path: "/a" }, options);
  await expect(call).rejects.toMatchObject({ code: -32601 });
});

test("takes schemas of this package, with rules and notes", async () => {
  const notes: Note[] = [];
  const show = defineRequest({ method: "_acme.dev/show", params: v1.schemas.Plan });
  const { client: connection } = await connectInMemory({
    extensions: [show.handle(({ entries }) => entries.length)],
    onNotes: (found) => void notes.push(...found),
  });
  const { agent } = connection;
  await expect(agent.request(show, { entries: [] })).resolves.toBe(0);
  await expect(agent.request(show, {} as never)).rejects.toThrow("Plan at /entries: expected");
  await expect(agent.request("_acme.dev/show", { entries: [5] })).resolves.toBe(0);
  expect(notes).toMatchObject([{ kind: "repaired", pointer: "/entries/0" }]);
  await expect(agent.request("_acme.dev/show", {})).rejects.toMatchObject({
    data: { pointer: "/entries", rule: "required" },
  });
});

test("refuses schemas that validate asynchronously", async () => {
  const text = "_slow: the schema of its params validates asynchronously";
  const slow = defineRequest({
    method: "_slow",
    params: z.object({ path: z.string().refine(async () => true) }),
  });
  const { client: connection, errors } = await connectInMemory({
    extensions: [slow.handle(() => ({}))],
  });
  await expect(connection.agent.request(slow, { path: "" })).rejects.toThrow(text);
  await expect(connection.agent.request("_slow", { path: "" })).rejects.toThrow("Internal error");
  expect(String(errors)).toContain(text);
});

test.each<[string, unknown, string]>([
  [
    "a second handler",
    [note.handle(() => {}), note.handle(() => {})],
    "extensions[1]: _acme.dev/note already has a handler",
  ],
  ["no handler", [note], "extensions[0] has no handler: make it with handle"],
  ["undefined", [undefined], "extensions[0] has no handler: make it with handle"],
  ...["", "_", "$/cancel_request", "$/acme", "rpc.acme"].map(
    (method): [string, unknown, string] => [
      `the name "${method}"`,
      [defineRequest({ method }).handle(() => 1)],
      `extensions[0]: "${method}" cannot be a name`,
    ],
  ),
  [
    "a method of the protocol",
    [defineRequest({ method: "session/prompt" }).handle(() => 1)],
    "extensions[0]: session/prompt is a method of the protocol, not an extension: handle it in handlers",
  ],
  ["an object", { "_acme/x": () => 1 }, "extensions must be an array"],
])("is refused when the role is made: %s", (_, extensions, message) => {
  const given = extensions as readonly HandledExtension<v1.AgentContext>[];
  expect(() => v1.createAgent({ info, handlers: { session: SESSION }, extensions: given })).toThrow(
    message,
  );
});

test("may have the name of a request and of a notification", async () => {
  const received: string[] = [];
  const { client: connection } = await connectInMemory({
    extensions: [
      defineRequest({ method: "_both" }).handle(() => "request"),
      defineNotification({ method: "_both" }).handle(() => void received.push("notification")),
    ],
  });
  await connection.agent.notify("_both", {});
  await expect(connection.agent.request("_both", {})).resolves.toBe("request");
  expect(received).toEqual(["notification"]);
});
