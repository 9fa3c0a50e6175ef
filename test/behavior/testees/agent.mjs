// The agent of the behavior corpus on our bindings, for both versions: node agent.mjs [1|2] [profile]

import { RpcError } from "acp-bindings";
import { stdio } from "acp-bindings/stdio";
import { realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

if (realpathSync(process.argv[1]) === import.meta.filename)
  await serve(Number(process.argv[2] ?? 1), stdio(), process.argv[3]);

/** Serves one client in a version of the protocol and a profile. Returns when the connection has closed. */
export async function serve(version, transport, profile = `v${version}`) {
  const { createAgent, SessionStore } = await import(`acp-bindings/${profile}`);

  const sessions = new SessionStore();
  const modes = (currentModeId) => ({
    currentModeId,
    availableModes: ["ask", "code"].map((id) => ({ id, name: id })),
  });
  const options = (currentValue) => [
    {
      type: "select",
      name: "Model",
      ...(version === 1 ? { id: "model" } : { configId: "model" }),
      currentValue,
      options: ["small", "large"].map((value) => ({ value, name: value })),
    },
  ];
  const facts = ({ mode, model }) => ({
    ...(version === 1 && { modes: modes(mode) }),
    configOptions: options(model),
  });
  const code = (error) =>
    error instanceof RpcError ? `failed ${error.code}` : `failed ${error.name}`;

  /** The work on a prompt: the first word of its text names it. Returns the stop reason. */
  async function work(prompt, session, { client, signal, afterResponse }) {
    const state = sessions.get(session.id);
    const [first, ...blocks] = prompt;
    const [name, ...words] = (first?.text ?? "").split(" ");
    const rest = words.join(" ");
    const stopped = () => new Promise((resolve) => signal.addEventListener("abort", resolve));
    const answer = (promise) =>
      promise.then(
        (text) => session.text(text),
        (error) => session.text(code(error)),
      );
    state.history.push(...prompt);
    switch (name) {
      case "":
        break;
      case "late":
      case "say":
        await session.text(rest);
        break;
      case "think":
        await session.thought(rest);
        break;
      case "count":
        for (let i = 0; i < Number(words[0]); i++) await session.text(String(i));
        break;
      case "echo":
        for (const block of blocks) await session.text(block);
        break;
      case "wait":
        await stopped();
        break;
      case "sleep":
        await sleep(Number(words[0]), undefined, { signal }).catch(() => {});
        break;
      case "stubborn":
        await stopped();
        await sleep(Number(words[0]));
        await session.text("late").catch(() => {});
        break;
      case "throw":
        throw new Error(rest);
      case "fail":
        throw new RpcError(Number(words[0]), words.slice(1).join(" "));
      case "ask": {
        const call = await session.toolCall({ title: "Run", kind: "execute", toolCallId: "t1" });
        const options = [
          { optionId: "allow", name: "First", kind: words[0] },
          { optionId: "reject", name: "Reject", kind: "reject_once" },
        ];
        const chosen = await call.ask(words.length > 0 ? options : undefined);
        if (chosen !== undefined) await call.run(() => {});
        else if (!signal.aborted) await call.fail("rejected");
        await session.text(chosen ? "allowed" : "not allowed").catch(() => {});
        break;
      }
      case "asks": {
        const ids = Array.from({ length: Number(words[0]) }, (_, index) => `t${index + 1}`);
        const chosen = await Promise.all(
          ids.map(async (toolCallId) => {
            const call = await session.toolCall({ title: "Run", kind: "execute", toolCallId });
            return (await call.ask()) ? "allow" : "reject";
          }),
        );
        await session.text(chosen.join(" "));
        break;
      }
      case "delegate": {
        const sessionId = `${session.id}-child`;
        await session.update("subagent_update", { sessionId });
        if (rest === "background") {
          const background = [{ type: "subagent", sessionId }];
          await session.update("state_update", { state: "running", background });
        }
        const child = connection.session(sessionId);
        const call = await child.toolCall({ title: "Run", kind: "execute", toolCallId: "t1" });
        const asking = call.ask();
        asking.catch(() => {});
        const chosen = rest === "background" ? await stopped() : await asking;
        await session.text(chosen ? "allowed" : "not allowed").catch(() => {});
        break;
      }
      case "elicit": {
        const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
        const form = {
          sessionId: session.id,
          mode: "form",
          message: "Your name?",
          requestedSchema,
        };
        const { action } = await client.elicitation.create(form).catch((error) => ({ error }));
        await session.text(action === "accept" ? "accepted" : "not accepted").catch(() => {});
        break;
      }
      case "read":
        await answer(
          client
            .request("fs/read_text_file", { sessionId: session.id, path: rest })
            .then(({ content }) => content),
        );
        break;
      case "terminal": {
        const terminal = await session.terminal({ command: rest });
        try {
          await terminal.wait();
          await session.text((await terminal.output()).output);
        } finally {
          await terminal.release();
        }
        break;
      }
      case "call":
        await answer(client.request(words[0], {}).then((result) => JSON.stringify(result)));
        break;
      case "notify":
        await client.notify(words[0], {});
        break;
      case "tool": {
        const call = await session.toolCall({ title: "Look", kind: "read", toolCallId: "t1" });
        await call.run(() => {});
        break;
      }
      case "broken": {
        const call = await session.toolCall({ title: "Look", kind: "read", toolCallId: "t1" });
        await call
          .run(() => {
            throw new Error("no such file");
          })
          .catch(() => {});
        break;
      }
      case "plan":
        await session.plan([{ content: "first" }, { content: "second" }]);
        break;
      case "update":
        await client
          .notify("session/update", { sessionId: session.id, update: JSON.parse(rest) })
          .catch((error) => session.text(code(error)));
        break;
      case "title":
        await session.update("session_info_update", { title: rest });
        break;
      case "mode":
        await session.update("current_mode_update", { currentModeId: words[0] });
        break;
      case "after":
        afterResponse(() => session.update("session_info_update", { title: rest }));
        break;
      case "thread":
        void (async () => {
          for (let i = 0; i < 10; i++, await sleep(20))
            await session.text(`thread ${i}`).catch(() => {});
        })();
        await sleep(30);
        break;
      case "exit":
        process.exit(Number(words[0]));
      case "print":
        console.log(rest);
        break;
      case "stop":
        return words[0];
      default:
        await session.text("unsupported");
    }
  }

  const open = {
    resume: async ({ sessionId, cwd, replayFrom }, { session }) => {
      const state = sessions.get(sessionId);
      if (replayFrom)
        for (const [at, block] of state.history.entries())
          await session.update("user_message", { messageId: `h${at}`, content: [block] });
      if (cwd === "/slow" || cwd === "/broken") await sleep(150);
      if (cwd === "/broken") throw RpcError.internal("The history is damaged");
      if (cwd === "/marked") await session.update("replay_complete", {});
      if (cwd === "/running") void session.update("state_update", { state: "running" });
      return facts(state);
    },
  };
  const agent = createAgent({
    info: { name: "testee", version: "1.0.0" },
    ...(version > 1 && {
      capabilities: { session: { mcp: { stdio: {} } } },
      sessionStore: sessions,
    }),
    authMethods: [
      version === 1 ? { id: "key", name: "Key" } : { type: "agent", methodId: "key", name: "Key" },
    ],
    handlers: {
      ...(version === 1
        ? { authenticate: () => ({}) }
        : { auth: { login: () => ({}), logout: () => ({}) } }),
      session: {
        new: async ({ cwd }, { afterResponse, client }) => {
          if (cwd === "/slow") await sleep(150);
          if (cwd === "/none") throw RpcError.resourceNotFound("There is no such folder");
          if (cwd === "/locked") throw RpcError.authRequired();
          const state = { cwd, mode: "ask", model: "small", history: [] };
          const sessionId = sessions.create(state);
          const update = {
            sessionUpdate: "available_commands_update",
            availableCommands: [
              { ...(version > 1 && { type: "command" }), name: "plan", description: "Plans" },
            ],
          };
          const running = { sessionUpdate: "state_update", state: "running" };
          if (cwd === "/running")
            afterResponse(() => client.session.update({ sessionId, update: running }));
          if (cwd === "/commands")
            afterResponse(() => client.session.update({ sessionId, update }));
          return { sessionId, ...facts(state) };
        },
        ...(version === 1 && {
          load: async ({ sessionId }, { session }) => {
            const state = sessions.get(sessionId);
            for (const content of state.history)
              await session.update("user_message_chunk", { content });
            return facts(state);
          },
          setMode: ({ modeId }, { sessionId }) => void (sessions.get(sessionId).mode = modeId),
        }),
        ...open,
        ...(profile.endsWith("unstable") && {
          options: () => facts({ mode: "ask", model: "small" }),
        }),
        list: () => ({
          sessions: [...sessions].map(([sessionId, { cwd }]) => ({ sessionId, cwd })),
        }),
        close: ({ sessionId }) => {
          sessions.get(sessionId);
        },
        setConfigOption: ({ value }, { sessionId }) => {
          const state = sessions.get(sessionId);
          if (!["small", "large"].includes(value))
            throw RpcError.invalidParams("There is no such model");
          state.model = value;
          return { configOptions: options(value) };
        },
        prompt: async ({ prompt }, context) => {
          const { session } = context;
          sessions.get(session.id);
          const [name, time] = prompt[0]?.text?.split(" ") ?? [];
          if (name === "late") await sleep(Number(time));
          if (version > 1)
            return session.startTurn((turn) =>
              work(prompt, turn, { ...context, signal: turn.signal }),
            );
          return { stopReason: (await work(prompt, session, context)) ?? "end_turn" };
        },
      },
    },
  });
  const connection = agent.connect(transport);
  await connection.closed;
}
