import { readFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { defineNotification, defineRequest, type HandledExtension } from "acp-bindings";
import type * as acp from "acp-bindings/v1";

type ContentBlocks = acp.PromptRequest["prompt"];

/** The contents of the conversations; the agents in `peers/` read the same file. */
export interface Facts {
  readonly secret: string;
  readonly clientInfo: acp.Implementation;
  readonly agentInfo: acp.Implementation;
  readonly clientCapabilities: acp.ClientCapabilities;
  readonly agentCapabilities: acp.AgentCapabilities;
  readonly authMethods: acp.AuthMethod[];
  readonly mcpServers: acp.McpServer[];
  readonly modes: acp.SessionModeState;
  readonly configOptions: acp.SessionConfigOption[];
  readonly prompt: ContentBlocks;
  readonly updates: acp.SessionUpdate[];
  readonly formContent: Record<string, string | number | boolean>;
}

export const facts = JSON.parse(
  readFileSync(new URL("conversation.json", import.meta.url), "utf8"),
) as Facts;

/** How the client's side of a conversation calls the agent, whatever library it is written with. */
export interface Caller {
  /** Whether the updates before a response are delivered before it; the official SDK may deliver them late. */
  readonly keepsOrder: boolean;
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
}

/** The messages that the client has received, in order. */
export interface ReceivedNotifications {
  readonly updates: acp.received.SessionNotification[];
  readonly completed: unknown[];
  readonly notes: unknown[];
  readonly pongs: unknown[];
}

export function createNotifications(): ReceivedNotifications {
  return { updates: [], completed: [], notes: [], pongs: [] };
}

/** The handlers of both clients; `notFound` makes the error of the library that they are written with. */
export function createHandlers(
  notifications: ReceivedNotifications,
  notFound: (path: string) => Error,
): { handlers: acp.ClientHandlers; extensions: readonly HandledExtension<acp.ClientContext>[] } {
  const files = new Map<string, string>();
  let exited = (): void => {};
  const exit = new Promise<void>((resolve) => (exited = resolve));
  let exitStatus: acp.TerminalExitStatus | null = null;
  return {
    handlers: {
      session: {
        update: (params) => void notifications.updates.push(params),
        requestPermission: ({ options }) => ({
          outcome:
            options[0] === undefined
              ? { outcome: "cancelled" }
              : { outcome: "selected", optionId: options[0].optionId },
        }),
      },
      fs: {
        writeTextFile: ({ path, content }) => {
          files.set(path, content);
          return {};
        },
        readTextFile: ({ path, line, limit }) => {
          if (path === "/broken") throw new Error(facts.secret);
          const lines = files.get(path)?.split("\n");
          if (lines === undefined) throw notFound(path);
          const start = (line ?? 1) - 1;
          return { content: lines.slice(start, start + (limit ?? lines.length)).join("\n") };
        },
      },
      terminal: {
        create: () => ({ terminalId: "terminal-1" }),
        output: () => ({ output: "line €\n", truncated: false, exitStatus }),
        waitForExit: async () => {
          await exit;
          return { exitCode: null, signal: "SIGKILL" };
        },
        kill: () => {
          exitStatus = { signal: "SIGKILL" };
          exited();
          return {};
        },
        release: () => ({}),
      },
      elicitation: {
        create: ({ mode }) =>
          mode === "form"
            ? { action: "accept", content: facts.formContent }
            : { action: "decline" },
        complete: (params) => void notifications.completed.push(params),
      },
    },
    extensions: [
      defineRequest({ method: "_vendor/echo" }).handle((params) => params),
      defineNotification({ method: "_vendor/note" }).handle(
        (params) => void notifications.notes.push(params),
      ),
      defineNotification({ method: "_vendor/pong" }).handle(
        (params) => void notifications.pongs.push(params),
      ),
      defineRequest({ method: "_vendor/wait" }).handle(
        (_params, { signal }: acp.ClientContext) =>
          new Promise((_, reject) => {
            const abort = (): void => reject(new DOMException("aborted", "AbortError"));
            if (signal.aborted) abort();
            else signal.addEventListener("abort", abort);
          }),
      ),
    ],
  };
}

/** The client's part of the conversation, after the handshake. */
export async function converse(agent: Caller, notifications: ReceivedNotifications): Promise<void> {
  const cwd = "/work";
  const { mcpServers, modes, configOptions, updates } = facts;
  expect(await agent.request("authenticate", { methodId: "token" })).toEqual({});
  const created = await agent.request("session/new", { cwd, mcpServers });
  expect(created).toEqual({ sessionId: "s-1", modes, configOptions });
  const { sessionId } = created as acp.NewSessionResponse;

  expect(await agent.request("session/set_mode", { sessionId, modeId: "code" })).toEqual({});
  await expectUpdates(agent, notifications, [
    { sessionUpdate: "current_mode_update", currentModeId: "code" },
  ]);
  const setOption = { sessionId, configId: "model", value: "large" };
  expect(await agent.request("session/set_config_option", setOption)).toMatchObject({
    configOptions: [{ id: "model", currentValue: "large" }, { id: "web" }],
  });
  const setSwitch = { sessionId, configId: "web", type: "boolean", value: true };
  expect(await agent.request("session/set_config_option", setSwitch)).toMatchObject({
    configOptions: [{ id: "model" }, { id: "web", currentValue: true }],
  });

  const everything = await agent.request("session/prompt", { sessionId, prompt: facts.prompt });
  expect(everything).toMatchObject({ stopReason: "end_turn", _meta: { outcomes: OUTCOMES } });
  await expectUpdates(agent, notifications, updates);
  expect(notifications.completed).toEqual([{ elicitationId: "e-1" }]);
  expect(notifications.notes).toEqual([{ from: "agent" }]);

  const cancelled = agent.request("session/prompt", ask(sessionId, "wait for session/cancel"));
  await agent.notify("session/cancel", { sessionId });
  expect(await cancelled).toEqual({ stopReason: "cancelled" });
  const controller = new AbortController();
  const aborted = agent.request("_vendor/wait", {}, controller.signal);
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ code: -32800 });

  await expect(agent.request("session/prompt", ask(sessionId, "fail"))).rejects.toMatchObject({
    code: -32603,
  });
  const invalid = { sessionId, prompt: [{ type: "text", text: { secret: facts.secret } }] };
  await expect(agent.request("session/prompt", invalid)).rejects.toMatchObject({ code: -32602 });
  await expect(agent.request("unknown/method", {})).rejects.toMatchObject({ code: -32601 });
  await expect(agent.request("_vendor/unknown", {})).rejects.toMatchObject({ code: -32601 });
  const any = { any: [1, "€😀\u2028", null, { a: 0.1 }] };
  expect(await agent.request("_vendor/echo", any)).toEqual(any);
  await agent.notify("_vendor/ping", any);
  await vi.waitFor(() => expect(notifications.pongs).toEqual([any]), WAIT);

  expect(await agent.request("session/list", { cwd })).toEqual({
    sessions: [{ sessionId, cwd, title: "Everything", updatedAt: null }],
    nextCursor: "next",
  });
  const loaded = await agent.request("session/load", { sessionId, cwd, mcpServers: [] });
  expect(loaded).toEqual({ modes, configOptions });
  await expectUpdates(agent, notifications, updates.slice(0, 2));
  const resumed = await agent.request("session/resume", { sessionId, cwd, mcpServers: [] });
  expect(resumed).toEqual({ modes, configOptions });
  expect(await agent.request("session/close", { sessionId })).toEqual({});
  expect(await agent.request("session/delete", { sessionId })).toEqual({});
  expect(await agent.request("logout", {})).toEqual({});
}

/** How the client's methods answered, as the agent saw it. */
const OUTCOMES = {
  permission: { outcome: { outcome: "selected", optionId: "once" } },
  "no permission": { outcome: { outcome: "cancelled" } },
  write: {},
  read: { content: "two €😀" },
  "read nothing": { code: -32002 },
  terminal: { terminalId: "terminal-1" },
  output: { output: "line €\n", truncated: false, exitStatus: null },
  exit: { exitCode: null, signal: "SIGKILL" },
  kill: {},
  "last output": { output: "line €\n", truncated: false, exitStatus: { signal: "SIGKILL" } },
  release: {},
  form: { action: "accept", content: facts.formContent },
  url: { action: "decline" },
  echo: { any: [1, "€", null] },
  unknown: { code: -32601 },
  invalid: { code: -32602 },
  broken: { code: -32603 },
  cancelled: { code: -32800 },
};

const WAIT = { interval: 1, timeout: 5000 };

function ask(sessionId: string, text: string): acp.PromptRequest {
  return { sessionId, prompt: [{ type: "text", text }] };
}

/** Expects the updates that were received since the last call. */
async function expectUpdates(
  { keepsOrder }: Caller,
  notifications: ReceivedNotifications,
  updates: readonly acp.SessionUpdate[],
): Promise<void> {
  if (!keepsOrder)
    await vi.waitFor(() => expect(notifications.updates).toHaveLength(updates.length), WAIT);
  expect(notifications.updates.splice(0)).toEqual(
    updates.map((update) => ({ sessionId: "s-1", update })),
  );
}
