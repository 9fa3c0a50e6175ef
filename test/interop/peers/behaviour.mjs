// What an agent does in the conversations, whatever library it is written with.

import { readFileSync } from "node:fs";

export const facts = JSON.parse(readFileSync(new URL("../conversation.json", import.meta.url)));

/** The handlers by method name. Each is given its params, the client to call back, and its signal. */
export function createBehaviour() {
  const turns = new Map();
  const session = { modes: facts.modes, configOptions: facts.configOptions };
  return {
    requests: {
      authenticate: () => ({}),
      logout: () => ({}),
      "session/new": () => ({ sessionId: "s-1", ...session }),
      "session/load": async ({ sessionId }, client) => {
        for (const update of facts.updates.slice(0, 2)) {
          await client.notify("session/update", { sessionId, update });
        }
        return session;
      },
      "session/list": ({ cwd }) => ({
        sessions: [{ sessionId: "s-1", cwd, title: "Everything", updatedAt: null }],
        nextCursor: "next",
      }),
      "session/delete": () => ({}),
      "session/resume": () => session,
      "session/close": () => ({}),
      "session/set_mode": async ({ sessionId, modeId }, client) => {
        const update = { sessionUpdate: "current_mode_update", currentModeId: modeId };
        await client.notify("session/update", { sessionId, update });
        return {};
      },
      "session/set_config_option": ({ configId, value }) => ({
        configOptions: facts.configOptions.map((option) =>
          option.id === configId ? { ...option, currentValue: value } : option,
        ),
      }),
      "session/prompt": async ({ sessionId, prompt }, client) => {
        switch (prompt[0].text) {
          case "everything":
            return takeTurn(sessionId, client);
          case "wait for session/cancel":
            await new Promise((resolve) => turns.set(sessionId, resolve));
            return { stopReason: "cancelled" };
          default:
            throw new Error(`${facts.secret}: ${prompt[0].text}`);
        }
      },
      "_vendor/echo": (params) => params,
      "_vendor/wait": (_params, _client, signal) => untilAborted(signal),
    },
    notifications: {
      "session/cancel": ({ sessionId }) => turns.get(sessionId)?.(),
      "_vendor/ping": (params, client) => client.notify("_vendor/pong", params),
    },
  };
}

/** Calls everything that a client offers; the outcomes go back in the answer's `_meta`. */
async function takeTurn(sessionId, client) {
  const outcomes = {};
  const call = async (name, method, params, signal) => {
    outcomes[name] = await client
      .request(method, params, signal)
      .catch(({ code, message, data }) => ({
        code,
        message,
        data,
      }));
    return outcomes[name];
  };
  for (const update of facts.updates) await client.notify("session/update", { sessionId, update });

  const toolCall = { toolCallId: "t-1", title: "Edit a.ts" };
  const options = facts.permissionOptions;
  await call("permission", "session/request_permission", { sessionId, toolCall, options });
  await call("no permission", "session/request_permission", { sessionId, toolCall, options: [] });

  const path = "/shop/a.ts";
  await call("write", "fs/write_text_file", { sessionId, path, content: "one\ntwo €😀\nthree" });
  await call("read", "fs/read_text_file", { sessionId, path, line: 2, limit: 1 });
  await call("read nothing", "fs/read_text_file", { sessionId, path: "/missing" });

  const { terminalId } = await call("terminal", "terminal/create", {
    sessionId,
    command: "sleep",
    args: ["1000"],
    env: [{ name: "A", value: "b" }],
    cwd: "/work",
    outputByteLimit: 1000,
  });
  const terminal = { sessionId, terminalId };
  await call("output", "terminal/output", terminal);
  const exit = call("exit", "terminal/wait_for_exit", terminal);
  await call("kill", "terminal/kill", terminal);
  await exit;
  await call("last output", "terminal/output", terminal);
  await call("release", "terminal/release", terminal);

  const elicitation = { sessionId, message: "Who?" };
  const form = { mode: "form", requestedSchema: facts.form };
  await call("form", "elicitation/create", { ...elicitation, ...form });
  const url = { mode: "url", url: "https://example.com/login", elicitationId: "e-1" };
  await call("url", "elicitation/create", { ...elicitation, ...url });
  await client.notify("elicitation/complete", { elicitationId: "e-1" });

  await call("echo", "_vendor/echo", { any: [1, "€", null] });
  await client.notify("_vendor/note", { from: "agent" });
  await call("unknown", "unknown/method", {});
  await call("invalid", "fs/read_text_file", { sessionId, path: { secret: facts.secret } });
  await call("broken", "fs/read_text_file", { sessionId, path: "/broken" });
  const controller = new AbortController();
  const cancelled = call("cancelled", "_vendor/wait", {}, controller.signal);
  controller.abort();
  await cancelled;
  return { stopReason: "end_turn", _meta: { outcomes } };
}

function untilAborted(signal) {
  return new Promise((_, reject) => {
    const abort = () => reject(new DOMException("aborted", "AbortError"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
}
