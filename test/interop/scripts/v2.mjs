// Every method and every session update of version 2.

import { cancelled, notify, refused, request, text, updates } from "./steps.mjs";
import {
  asked,
  availableCommands,
  configOptions,
  said,
  sessionId,
  state,
  reported,
} from "./v2-turn.mjs";

const cwd = "/work";

export const v2 = {
  version: 2,
  client: {
    info: { name: "interop-client", version: "1.0.0" },
    capabilities: { auth: { terminal: {} }, elicitation: { form: {}, url: {} } },
  },
  agent: {
    info: { name: "interop-agent", title: "Interop agent", version: "1.0.0" },
    capabilities: {
      session: {
        prompt: { image: {}, audio: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        delete: {},
        additionalDirectories: {},
      },
    },
    authMethods: [
      { type: "agent", methodId: "browser", name: "Browser", description: null },
      {
        type: "terminal",
        methodId: "tui",
        name: "Terminal",
        args: ["login"],
        env: [{ name: "A", value: "b" }],
      },
    ],
  },
  steps: [
    refused("session/new", { cwd }, -32000),
    request("auth/login", { methodId: "browser" }, {}),
    request(
      "session/new",
      {
        cwd,
        additionalDirectories: ["/docs"],
        mcpServers: [
          {
            type: "stdio",
            name: "files",
            command: "/bin/files",
            args: ["--all"],
            env: [{ name: "A", value: "b" }],
          },
          {
            type: "http",
            name: "web",
            url: "https://example.com/mcp",
            headers: [{ name: "X", value: "y" }],
          },
        ],
      },
      { sessionId, configOptions, availableCommands },
    ),
    request(
      "session/set_config_option",
      { sessionId, configId: "model", type: "id", value: "large" },
      { configOptions },
    ),
    request(
      "session/set_config_option",
      { sessionId, configId: "web", type: "boolean", value: true },
      { configOptions },
    ),
    request(
      "session/prompt",
      {
        sessionId,
        prompt: [
          text("everything"),
          { type: "image", data: "aGk=", mimeType: "image/png" },
          { type: "audio", data: "aGk=", mimeType: "audio/wav" },
          { type: "resource_link", uri: "file:///project/a.ts", name: "a.ts", size: 12 },
          {
            type: "resource",
            resource: { uri: "file:///project/b.ts", text: "b €😀\u2028", mimeType: "text/plain" },
          },
          { type: "resource", resource: { uri: "file:///project/c.bin", blob: "aGk=" } },
        ],
      },
      { messageId: "m-1" },
      { after: [...reported, ...asked] },
    ),
    request(
      "tool_call/cancel",
      { sessionId, toolCallId: "t-1" },
      {},
      {
        after: updates(sessionId, {
          sessionUpdate: "tool_call_update",
          toolCallId: "t-1",
          status: "cancelled",
          capabilities: null,
        }),
      },
    ),
    request(
      "terminal/cancel",
      { sessionId, terminalId: "x-1" },
      {},
      {
        after: updates(
          sessionId,
          {
            sessionUpdate: "terminal_update",
            terminalId: "x-1",
            exitStatus: { exitCode: null, signal: "SIGKILL" },
            capabilities: null,
          },
          state("idle", {
            stopReason: "end_turn",
            background: [
              { type: "terminal", terminalId: "x-2" },
              { type: "tool_call", toolCallId: "t-2" },
            ],
          }),
        ),
      },
    ),
    request(
      "session/prompt",
      { sessionId, prompt: [text("wait")] },
      { messageId: "m-4" },
      {
        after: updates(
          sessionId,
          { sessionUpdate: "user_message", messageId: "m-4", content: [text("wait")] },
          state("running"),
        ),
      },
    ),
    notify(
      "session/cancel",
      { sessionId },
      { after: updates(sessionId, state("idle", { stopReason: "cancelled" })) },
    ),
    request(
      "session/prompt",
      { sessionId, prompt: [text("fail")] },
      { messageId: "m-5" },
      {
        after: updates(
          sessionId,
          { sessionUpdate: "user_message", messageId: "m-5", content: [text("fail")] },
          state("idle", { stopReason: "error", error: { code: -32603, message: "No model" } }),
        ),
      },
    ),
    cancelled("session/list", { cwd: "/other" }),
    request(
      "session/list",
      { cwd, cursor: "first" },
      {
        sessions: [
          { sessionId, cwd, additionalDirectories: ["/docs"], title: "All", updatedAt: null },
        ],
        nextCursor: "next",
      },
    ),
    request("session/close", { sessionId }, {}),
    request(
      "session/resume",
      { sessionId, cwd, replayFrom: { type: "start" } },
      { configOptions, availableCommands },
      {
        before: updates(
          sessionId,
          { sessionUpdate: "user_message", messageId: "m-1", content: [text("everything")] },
          { sessionUpdate: "agent_message", messageId: "m-3", content: [text("Gern")] },
          { sessionUpdate: "replay_complete" },
          state("idle", { stopReason: null }),
        ),
      },
    ),
    request("_vendor/echo", said, said),
    notify("_vendor/ping", said, { after: [notify("_vendor/pong", said)] }),
  ],
  last: [
    request("session/close", { sessionId }, {}),
    request("session/delete", { sessionId }, {}),
    request("auth/logout", {}, {}),
  ],
};
