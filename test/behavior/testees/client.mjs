// The client of the behavior corpus on our bindings, for both versions: node client.mjs [1|2] [profile]

import { RpcError, ConnectionClosedError } from "acp-bindings";
import { stdio } from "acp-bindings/stdio";
import { realpathSync } from "node:fs";

if (realpathSync(process.argv[1]) === import.meta.filename)
  await serve(Number(process.argv[2] ?? 1), stdio(), process.argv[3]);

/** Is the client of one agent in a version of the protocol and a profile. Returns when the connection has closed. */
export async function serve(version, transport, profile = `v${version}`) {
  const { createClient, CANCELLED, select } = await import(`acp-bindings/${profile}`);

  let events = [];
  let thoughts = 0;
  let answers = "allow";
  let signsIn;
  let session;
  let control;
  const log = (event) => void events.push(event);
  const code = (error) =>
    error instanceof RpcError
      ? error.code
      : error instanceof ConnectionClosedError
        ? "closed"
        : "error";
  const logged = (name, promise) =>
    promise.then(
      (result) => log(`${name}${result}`),
      (error) => log(`${name.replace(/:$/, "")}!${code(error)}`),
    );
  const aborted = (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve));
  const describe = ({ messageId, content }) =>
    `${messageId === undefined ? "" : `#${messageId}`} ${content.map(({ text }) => text).join("")}`;

  const usageOf = ({ used, size, cost, _meta }) =>
    [
      `usage ${used}/${size}`,
      ...(cost ? [cost.amount, cost.currency] : []),
      ...Object.keys(_meta ?? {}).sort(),
    ].join(" ");

  /** The state of the session, one line for each thing in it. */
  function lines(found) {
    const { timeline, mode, availableModes, config, commands, usage, info, others } = found;
    const names = { user_message: "user", agent_message: "agent", agent_thought: "thought" };
    return [
      ...timeline.map(({ type, message, toolCall, compaction }) =>
        type === "message"
          ? names[message.kind] + describe(message)
          : type === "tool_call"
            ? `tool ${toolCall.toolCallId} ${toolCall.status}`
            : `compaction ${compaction.compactionId} ${compaction.status}`,
      ),
      ...(mode ? [`mode ${mode.currentModeId}`] : []),
      ...(availableModes?.length ? [`modes ${availableModes.map(({ id }) => id)}`] : []),
      ...(config?.configOptions ?? []).map(
        (option) => `option ${option.id ?? option.configId}=${option.currentValue}`,
      ),
      ...(commands?.availableCommands.length
        ? [`commands ${commands.availableCommands.map(({ name }) => name)}`]
        : []),
      ...(usage ? [usageOf(usage)] : []),
      ...(found.turnUsage ? [`tokens ${found.turnUsage.totalTokens}`] : []),
      ...(found.state?.state === "running" ? ["running"] : []),
      ...[...found.cursors.values()].map(
        ({ cursorId, capabilities }) => `cursor ${cursorId}${capabilities?.fork ? " fork" : ""}`,
      ),
      ...(others.count ? [`others ${others.count}`] : []),
      ...(info.title ? [`title ${info.title}`] : []),
    ];
  }

  async function loop(turn, leaves) {
    let count = 0;
    for await (const _ of turn) {
      count++;
      if (leaves) break;
    }
    return count;
  }

  const sessionOf = (id) => (id ? connection.session(id) : session);

  async function listed(cwd) {
    const ids = [];
    for await (const { sessionId } of connection.listSessions({ cwd })) ids.push(sessionId);
    return ids.join();
  }

  /** Carries out a command that the agent gives in the session `control`. */
  async function run(command) {
    const [name, ...words] = command.split(" ");
    const [first] = words;
    const at = { sessionId: first, cwd: "/", ...(version === 1 && { mcpServers: [] }) };
    switch (name) {
      case "log": {
        const text = ["log", ...events].join(" ");
        events = [];
        return void control.prompt(text).catch(() => {});
      }
      case "state":
        return void control
          .prompt(["state", ...lines(sessionOf(first).state)].join("\n"))
          .catch(() => {});
      case "path":
        return void control.prompt(`path ${sessionOf(first).path.join("/")}`).catch(() => {});
      case "count":
        return void control.prompt(`count ${thoughts}`).catch(() => {});
      case "answer":
        return void (answers = first);
      case "sign-in":
        return void (signsIn = first);
      case "prompt":
        return logged(
          `${words.join(" ")}:`,
          session.prompt(words.join(" ")).then(({ stopReason }) => stopReason),
        );
      case "keyed":
        return logged(
          `${first}:`,
          session.prompt(first, { idempotencyKey: first }).then(({ stopReason }) => stopReason),
        );
      case "return":
        return void session.prompt(session.state.messages.at(-1).content).catch(() => {});
      case "loop":
        return logged("loop:", loop(session.prompt(first)));
      case "loops": {
        const turn = session.prompt(first);
        return logged("loops:", Promise.all([loop(turn), loop(turn)]));
      }
      case "leave":
        return logged(
          "left",
          loop(session.prompt(first), true).then(() => ""),
        );
      case "drop": {
        const turn = session.prompt(first);
        turn.cancel();
        return logged(
          `${first}:`,
          turn.then(({ stopReason }) => stopReason),
        );
      }
      case "cancel":
        return sessionOf(first).cancel();
      case "new":
        return logged(
          "new:",
          connection.newSession(at).then(({ id }) => id),
        );
      case "abandon":
        return logged("abandon:", connection.newSession(at, { signal: AbortSignal.timeout(50) }));
      case "load":
        return logged(
          "load:",
          connection.loadSession(at).then((opened) => (session = opened).id),
        );
      case "resume":
        return logged(
          "resume:",
          connection.resumeSession(at).then(({ id }) => id),
        );
      case "continue":
      case "replay": {
        const { mcpServers: _, ...params } = at;
        const history = name === "replay" ? { history: "replay" } : {};
        return logged(
          `${name}:`,
          connection
            .continueSession(params, history)
            .then((found) =>
              [
                found.how,
                found.session.id,
                ...found.reasons.map(({ code }) => code ?? "lacks"),
              ].join(),
            ),
        );
      }
      case "list":
        return logged("list:", listed(first));
      case "forget":
        return session.forget();
      case "close":
        return logged(
          "close:",
          session.agent.close({}).then(() => "ok"),
        );
      case "mode":
        return logged(
          "mode:",
          session.agent.setMode({ modeId: first }).then(() => "ok"),
        );
      case "option":
        return logged(
          "option:",
          session.agent
            .setConfigOption({
              configId: first,
              value: words[1],
              ...(version > 1 && { type: "id" }),
            })
            .then(() => "ok"),
        );
      case "category":
        return logged(
          "category:",
          session.setOption({ category: first }, words[1]).then(() => "ok"),
        );
      case "open":
        return logged(
          "open:",
          connection.newSession(JSON.parse(words.join(" "))).then(({ id }) => id),
        );
      case "ping":
        return connection.agent.notify("_testee.dev/ping");
      default:
        return void control.prompt("unsupported").catch(() => {});
    }
  }

  const ask = async (agent, signal, yes, no) => {
    log("ask");
    if (answers === "throw") throw new Error("a-secret");
    if (answers === "wait") {
      await aborted(signal);
      return no;
    }
    if (answers === "call") await agent.request("_testee.dev/ask", {});
    return answers === "reject" ? select("reject") : yes;
  };
  const client = createClient({
    info: { name: "testee", version: "1.0.0" },
    onError: () => {},
    onAuthRequired: async (_, { agent }) => {
      if (signsIn !== undefined) await agent.authenticate({ methodId: signsIn });
      return signsIn !== undefined;
    },
    handlers: {
      ...(version === 1 && {
        fs: {
          readTextFile: ({ path }) => {
            if (path === "/none") throw RpcError.resourceNotFound("There is no such file");
            return { content: `text of ${path}` };
          },
        },
      }),
      elicitation: {
        create: (_, { agent, signal }) =>
          ask(agent, signal, { action: "accept", content: { name: "x" } }, { action: "cancel" }),
      },
      session: {
        update: ({ sessionId, update }) => {
          const { sessionUpdate, content } = update;
          if (sessionId === "control") {
            if (content)
              void run(content.text).catch((error) => log(`${content.text}!${code(error)}`));
          } else if (sessionUpdate === "agent_thought_chunk") thoughts++;
          else
            log(
              `u:${sessionUpdate === "agent_message_chunk" ? (content.text ?? content.type) : sessionUpdate}`,
            );
        },
        requestPermission: (_, { agent, signal }) => ask(agent, signal, select("allow"), CANCELLED),
      },
    },
    capabilities: { elicitation: { form: {} }, ...(version === 1 && { subagents: {} }) },
  });
  const connection = await client.connect(transport);
  control = await connection.newSession({ cwd: "/" });
  session = await connection.newSession({ cwd: "/" });
  log("opened");
  control.prompt("ready").catch(() => {});
  await connection.closed;
}
