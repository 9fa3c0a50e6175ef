import { memoryTransports, type MethodDescriptor, type Transport } from "acp-bindings";
import type { TranscriptEntry } from "acp-bindings/conformance";
import type * as v1 from "acp-bindings/v1-full/mocks";
import { isObject, type JsonObject } from "../../../generators/schema/json-schema/json.js";
import type { Profile } from "../samples/profiles.js";

type Mocks = typeof v1;

/** A transport that adds what is sent to a transcript, in order. */
function recorded(
  transport: Transport,
  from: TranscriptEntry["from"],
  transcript: TranscriptEntry[],
): Transport {
  return {
    ...transport,
    send: (message) => {
      transcript.push({ from, message: JSON.parse(JSON.stringify(message)) as unknown });
      return transport.send(message);
    },
  };
}

/** The messages of both mocks of a profile when every method is used once, in an order that makes sense. */
export async function converse(
  profile: Profile,
  table: "SAMPLES" | "FULL_SAMPLES" = "SAMPLES",
): Promise<{
  readonly transcript: readonly TranscriptEntry[];
  readonly methods: readonly MethodDescriptor[];
  /** Methods that were used; `side name`. */
  readonly used: ReadonlySet<string>;
}> {
  const mocks = (await import(/* @vite-ignore */ `acp-bindings/${profile}/mocks`)) as Mocks;
  const { METHODS: methods } = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as {
    METHODS: readonly MethodDescriptor[];
  };
  const transcript: TranscriptEntry[] = [];
  const used = new Set(["agent initialize"]);
  let becameIdle = (): void => {};
  const idle = new Promise<void>((resolve) => (becameIdle = resolve));
  const mockAgent = mocks.createMockAgent({ capabilities: "all" });
  const mockClient = mocks.createMockClient({
    capabilities: "all",
    user: { elicitation: "accept" },
    handlers: {
      session: {
        update: ({ update }: { readonly update: object }) => {
          if ((update as JsonObject)["stopReason"] !== undefined) becameIdle();
        },
      },
    },
  });
  const [near, far] = memoryTransports();
  const agent = mockAgent.connect(recorded(far, "agent", transcript));
  const client = await mockClient.connect(recorded(near, "client", transcript));

  /** Calls a method with its sample and what has to be different; nothing where the profile has none. */
  const call = async (side: string, name: string, fields: object = {}): Promise<JsonObject> => {
    const peer: object = side === "agent" ? client.agent : agent.client;
    for (const method of methods.filter((one) => one.side === side && one.name === name)) {
      used.add(`${side} ${name}`);
      const sample = (mocks[table] as unknown as JsonObject)[method.params] as JsonObject;
      const found = method.handler.reduce<unknown>(
        (group, key) => (group as JsonObject)[key],
        peer,
      );
      const result = await (found as (params: unknown) => Promise<unknown>)({
        ...sample,
        ...fields,
      });
      if (isObject(result)) return result;
    }
    return {};
  };
  const waitForWork = profile.startsWith("v2") ? () => idle : () => Promise.resolve();
  for (const part of PARTS) await part(call, waitForWork);
  // Messages before a response have been handled when it arrives.
  await agent.client.request("_flush", {}).catch(() => {});
  await client.agent.request("_flush", {}).catch(() => {});
  client.close();
  return { transcript, methods, used };
}

type Call = (side: string, name: string, fields?: object) => Promise<JsonObject>;
type Part = (call: Call, waitForWork: () => Promise<void>) => Promise<void>;

const start: Part = async (call) => {
  for (const name of ["authenticate", "auth/login", "auth/status"]) await call("agent", name);
  for (const name of ["list", "set", "disable"]) await call("agent", `providers/${name}`);
  await call("client", "auth/status_update");
  for (const name of ["list", "options"]) await call("agent", `session/${name}`);
};

const prompt: Part = async (call, waitForWork) => {
  const { sessionId, modes, configOptions } = await call("agent", "session/new");
  const [mode] = ((modes as JsonObject | undefined)?.["availableModes"] ?? []) as JsonObject[];
  await call("agent", "session/set_mode", { sessionId, modeId: mode?.["id"] });
  const [option] = configOptions as JsonObject[];
  const configId = option!["configId"] ?? option!["id"];
  const value = option!["currentValue"];
  await call("agent", "session/set_config_option", { sessionId, configId, type: "id", value });
  await call("agent", "session/prompt", { sessionId });
  await waitForWork();
  await call("agent", "tool_call/cancel", { sessionId, toolCallId: "call_17" });
  await call("agent", "terminal/cancel", { sessionId, terminalId: "term_3" });
  await call("agent", "session/cancel", { sessionId });
};

const ask: Part = async (call) => {
  for (const name of ["fs/write_text_file", "fs/read_text_file"]) await call("client", name);
  await call("client", "session/request_permission");
  await call("client", "session/update");
  const { terminalId } = await call("client", "terminal/create");
  for (const name of ["output", "kill", "wait_for_exit", "release"])
    await call("client", `terminal/${name}`, { terminalId });
  const url = { elicitationId: "e", url: "https://example.com/", requestedSchema: undefined };
  await call("client", "elicitation/create");
  await call("client", "elicitation/create", { mode: "url", ...url });
  await call("client", "elicitation/complete", { elicitationId: "e" });
  await call("client", "mcp/message");
  await call("agent", "mcp/message");
};

const keep: Part = async (call) => {
  for (const name of ["set_title", "status", "archive", "unarchive"])
    await call("agent", `session/${name}`);
  await call("agent", "session/fork");
  await call("agent", "session/load", { sessionId: "old" });
  await call("agent", "session/resume", { sessionId: "older" });
  await call("agent", "session/close");
  await call("agent", "session/delete");
};

const suggest: Part = async (call) => {
  const { sessionId } = await call("agent", "nes/start");
  for (const event of ["didOpen", "didFocus", "didSave"])
    await call("agent", `document/${event}`, { sessionId });
  await call("agent", "document/didChange", { sessionId, contentChanges: [{ text: "" }] });
  const { suggestions } = await call("agent", "nes/suggest", { sessionId });
  const [suggestion] = (suggestions ?? []) as JsonObject[];
  const { id, suggestionId } = suggestion ?? {};
  const named = suggestionId === undefined ? { id } : { suggestionId };
  for (const answer of ["accept", "reject"])
    await call("agent", `nes/${answer}`, { sessionId, ...named });
  await call("agent", "document/didClose", { sessionId });
  await call("agent", "nes/close", { sessionId });
};

const end: Part = async (call) => {
  for (const name of ["logout", "auth/logout"]) await call("agent", name);
};

const PARTS: readonly Part[] = [start, prompt, ask, keep, suggest, end];
