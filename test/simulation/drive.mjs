// Plays conversations, one per line of the input, between the client and the agent in TypeScript, in
// virtual time. Prints the log of each as a line.
import { countTimers, pass, reset, schedule, sleep, time } from "./clock.mjs";
import { Http, Socket, Wire } from "./wire.mjs";
import { getEventListeners } from "node:events";
import { createInterface } from "node:readline";
import { byteTransport } from "acp-bindings/stdio";
import { createHttpHandler, httpTransport, webSocketTransport } from "acp-bindings/remote";
import { bridge } from "acp-bindings/bridge";
import { ConnectionClosedError, RequestTimeoutError, RpcError, tap } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";

/** Longer than any conversation, with its graces. */
const QUIET_MS = 200_000;
const MODES = { currentModeId: "a", availableModes: ["a", "b"].map((id) => ({ id, name: id })) };
const FORM = { mode: "form", requestedSchema: { type: "object", properties: {} } };

/** A conversation that is played: its log, and what both sides share. */
class Play {
  log = [];
  /** The signals of the user, none of which may keep a listener. */
  signals = [];
  #calls = 0;

  add(kind, fields = {}) {
    this.log.push({ kind, t: time(), ...fields });
  }

  sent(dir, line) {
    this.add("sent", { dir, line: line.replaceAll(/x{100,}/g, "") });
  }

  /** Logs the start and the end of a call, and returns whether it has succeeded. */
  async call(op, fields, work) {
    const call = ++this.#calls;
    this.add("start", { call, op, ...fields });
    try {
      const result = await work();
      this.add("end", { call, ok: true, ...(typeof result === "string" && { result }) });
      return true;
    } catch (error) {
      this.add("end", { call, ok: false, error: describe(error) });
      return false;
    }
  }

  /** Returns options with a signal, if it is to be aborted after a time. */
  abortedAfter(ms, onAbort = () => {}) {
    if (ms === undefined) return {};
    const controller = new AbortController();
    this.signals.push(controller.signal);
    schedule(ms, () => {
      onAbort();
      controller.abort();
    });
    return { signal: controller.signal };
  }
}

/** The agent, whose prompts are programs. */
class Agent {
  connection;
  #play;
  #version;
  #sessions = 0;

  constructor(play, version) {
    this.#play = play;
    this.#version = version;
  }

  create() {
    const { createAgent } = this.#version === 1 ? v1 : v2;
    const config = (value) => {
      const id = this.#version === 1 ? { id: "m" } : { configId: "m" };
      const options = ["x", "y"].map((each) => ({ value: each, name: each }));
      return [{ type: "select", name: "Model", ...id, currentValue: value, options }];
    };
    const facts = { ...(this.#version === 1 && { modes: MODES }), configOptions: config("x") };
    const reopen = async (params, context) => {
      await this.#replay(params, context);
      return facts;
    };
    return createAgent({
      info: { name: "agent", version: "1" },
      onError: (error) => this.#play.add("report", { side: "agent", error: describe(error) }),
      handlers: {
        session: {
          new: async (params, context) => ({
            sessionId: await this.#open(params, context),
            ...facts,
          }),
          ...(this.#version === 1 && { load: reopen, setMode: () => {} }),
          resume: reopen,
          list: (params, context) => this.#list(params, context),
          close: ({ sessionId }) => this.#play.add("closed-session", { s: sessionId }),
          setConfigOption: ({ value }) => ({ configOptions: config(value) }),
          prompt: async ({ prompt }, context) => {
            const program = JSON.parse(prompt[0].text);
            const { client, afterResponse, session, signal } = context;
            const run = (turn) =>
              this.#run(program, {
                session: turn,
                client,
                afterResponse,
                signal: turn.signal ?? signal,
              });
            return this.#version === 1
              ? { stopReason: await run(session) }
              : session.startTurn(run);
          },
        },
      },
    });
  }

  async #open({ cwd }, { client, afterResponse }) {
    const { ms, early, after } = JSON.parse(cwd.slice(1));
    const sessionId = `s${this.#sessions++}`;
    const send = (step) => {
      this.#play.add("send", { id: step.id, s: sessionId });
      const update = { sessionUpdate: "session_info_update", title: textOf(step) };
      return client.session.update({ sessionId, update });
    };
    for (const step of early) await send(step);
    for (const step of after) afterResponse(() => send(step));
    await sleep(ms);
    return sessionId;
  }

  /** Sends the history of a session that is opened again. */
  async #replay({ cwd }, { session }) {
    const { ms, early, fails } = JSON.parse(cwd.slice(1));
    for (const step of early) {
      await this.#update(step, session, { s: session.id });
      await sleep(ms);
    }
    if (fails) throw new RpcError(-32050, "failed");
  }

  async #list({ cursor }, { client, requestId }) {
    const { ms = 0, asks } = JSON.parse(cursor);
    if (asks) {
      const params = { ...FORM, requestId, message: JSON.stringify(asks) };
      await this.#play.call(asks.do, { id: asks.id }, () =>
        client.request("elicitation/create", params),
      );
    }
    await sleep(ms);
    return { sessions: [] };
  }

  async #run(program, { session, client, afterResponse, signal }) {
    const { id: p, steps, end, stubborn, join, after = [], late } = program;
    const at = { p, s: session.id };
    this.#play.add("run", at);
    signal.addEventListener("abort", () => this.#play.add("aborted", { p }), { once: true });
    const background = [];
    try {
      for (const step of steps) {
        if (signal.aborted && !stubborn) break;
        const done = this.#step(step, { session, client, signal, at, stubborn });
        if (step.background) background.push(done);
        else await done;
      }
      if (join) await Promise.all(background);
      for (const step of after) afterResponse(() => this.#update(step, session, at));
      if (late) schedule(late.ms, () => this.#update(late.step, session, at));
      if (end === "throw") throw new Error("thrown");
      if (end === "fail") throw new RpcError(-32050, "failed");
      return end === "end" ? "end_turn" : end;
    } finally {
      this.#play.add("ran", at);
    }
  }

  #step(step, { session, client, signal, at, stubborn }) {
    const text = JSON.stringify({ ...step, ...at });
    const ask = (work) => this.#play.call(step.do, { id: step.id, ...at }, work);
    const params = { sessionId: session.id };
    switch (step.do) {
      case "sleep":
        return stubborn ? sleep(step.ms) : sleepUnless(signal, step.ms);
      case "ask":
        return ask(async () => {
          const child = `${session.id}-${step.id}`;
          if (step.child) await session.update("subagent_update", { sessionId: child });
          const asking = step.child ? this.connection.session(child) : session;
          const tool = await asking.toolCall({ title: "ask", toolCallId: step.id });
          await tool.update({ title: text });
          return (await tool.ask()) ? "allow" : "reject";
        });
      case "elicit":
        return ask(() =>
          client.request("elicitation/create", { ...params, ...FORM, message: text }),
        );
      case "read":
        return ask(() => client.fs.readTextFile({ ...params, path: `/${text}` }));
      case "write":
        return ask(() =>
          client.fs.writeTextFile({ ...params, path: `/${text}`, content: pad(step.size) }),
        );
      case "terminal":
        return ask(async () => {
          const terminal = await session.terminal({ command: text });
          try {
            await terminal.wait();
          } finally {
            await terminal.release();
          }
        });
      default:
        return this.#update(step, session, at);
    }
  }

  async #update(step, session, at) {
    const text = textOf(step, at.p);
    this.#play.add("send", { id: step.id, ...at });
    const send = {
      text: () => session.text(text),
      thought: () => session.thought(text),
      plan: () => session.plan([{ content: text }]),
      title: () => session.update("session_info_update", { title: text }),
      tool: () => session.toolCall({ title: text, kind: "read", toolCallId: step.id }),
    };
    try {
      await send[step.do]();
    } catch (error) {
      this.#play.add("refused", { id: step.id, error: describe(error) });
    }
  }
}

/** The client and its user. */
class Client {
  #play;
  #version;
  #hasModes;
  #connection;
  /** The sessions by their numbers in the conversation, and the turns by their programs. */
  #sessions = [];
  #turns = new Map();
  #opened = [];

  /** @param hasModes whether the agent has modes of sessions */
  constructor(play, version, hasModes) {
    this.#play = play;
    this.#version = version;
    this.#hasModes = hasModes;
  }

  create() {
    const { createClient, select } = this.#version === 1 ? v1 : v2;
    const ask = (text, yes, no) => (params, context) => this.#ask(text(params), context, yes, no);
    const path = ({ path }) => path.slice(1);
    const files = {
      fs: {
        readTextFile: ask(path, ({ size }) => ({ content: pad(size) })),
        writeTextFile: ask(path, () => ({})),
      },
      terminal: {
        create: ask(
          ({ command }) => command,
          ({ id }) => ({ terminalId: id }),
        ),
        waitForExit: () => sleep(3).then(() => ({ exitCode: 0 })),
        release: ({ terminalId }) => this.#play.add("released", { id: terminalId }),
        kill: () => {},
        output: () => ({ output: "", truncated: false }),
      },
    };
    return createClient({
      info: { name: "client", version: "1" },
      onError: (error) => this.#play.add("report", { side: "client", error: describe(error) }),
      capabilities: { elicitation: { form: {} }, ...(this.#version === 1 && { subagents: {} }) },
      handlers: {
        ...(this.#version === 1 && files),
        elicitation: {
          create: ask(
            ({ message }) => message,
            () => ({ action: "accept", content: {} }),
            () => ({ action: "decline" }),
          ),
        },
        session: {
          update: (params, context) => this.#updated(params, context),
          requestPermission: ask(
            ({ toolCall, title }) => toolCall?.title ?? title,
            () => select("allow_once"),
            () => select("reject_once"),
          ),
        },
      },
    });
  }

  /** Connects and does what the user does; returns once the connection is open or has failed. */
  async connect(transport, acts) {
    const isOpen = await this.#play.call("connect", {}, async () => {
      this.#connection = await this.create().connect(transport);
    });
    if (!isOpen) return;
    void this.#connection.closed.then(() => this.#play.add("closed", { side: "client" }));
    for (const act of acts) schedule(act.t, () => void this.#act(act));
  }

  close() {
    this.#connection?.close();
  }

  /** Returns the sessions with the ids of the messages and tool calls in their states. */
  states() {
    return this.#sessions
      .filter((session) => session?.isOpen)
      .map(({ id, state }) => ({ s: id, ids: state.timeline.flatMap(idsOf) }));
  }

  get pending() {
    return this.#connection?.stats.pending ?? 0;
  }

  async #act(act) {
    const play = this.#play;
    const { op, s, abortMs, timeoutMs } = act;
    if (op === "list") {
      const { ms, asks } = act;
      const given = { ...play.abortedAfter(abortMs), ...(timeoutMs && { timeoutMs }) };
      const params = { cursor: JSON.stringify({ ms, asks }) };
      await play.call(op, { abort: abortMs, timeout: timeoutMs, asks: asks?.id }, () =>
        this.#connection.agent.session.list(params, given),
      );
      return;
    }
    if (op === "new") {
      const params = { cwd: `/${JSON.stringify(act.program)}` };
      this.#opened[s] = play.call(op, { abort: abortMs }, async () => {
        const given = play.abortedAfter(abortMs);
        this.#sessions[s] = await this.#connection.newSession(params, given);
        return this.#sessions[s].id;
      });
      return;
    }
    await this.#opened[s];
    const session = this.#sessions[s];
    if (session === undefined) return;
    const at = { s: session.id };
    switch (op) {
      case "prompt":
        return this.#prompt(session, act.program, act);
      case "cancel":
        play.add("cancel", at);
        return play.call(op, at, () => session.cancel());
      case "cancelTurn": {
        const last = [...this.#turns].at(-1);
        if (last === undefined) return;
        this.#cancelled(...last);
        return last[1].turn.cancel();
      }
      case "mode":
        if (!this.#hasModes) return;
        return play.call(op, at, () => session.agent.setMode({ modeId: "b" }));
      case "option": {
        const type = this.#version === 1 ? {} : { type: "id" };
        const params = { configId: "m", value: "y", ...type };
        return play.call(op, at, () => session.agent.setConfigOption(params));
      }
      case "resume":
        return play.call(op, { ...at, id: act.replay?.id }, async () => {
          const { replay = { ms: 0, early: [] } } = act;
          const start = act.replay && this.#version > 1 && { replayFrom: { type: "start" } };
          const params = { sessionId: session.id, cwd: `/${JSON.stringify(replay)}`, ...start };
          const open = act.replay && this.#version === 1 ? "loadSession" : "resumeSession";
          this.#sessions[s] = await this.#connection[open](params);
        });
      case "close":
        return play.call(op, at, () => session.agent.close({}));
    }
  }

  async #prompt(session, program, { look, lookMs = 0, abortMs = 0, size, inside, retryMs }) {
    const play = this.#play;
    const p = program.id;
    const at = { p, s: session.id };
    play.add("prompt", { ...at, inside: inside === true });
    const texts = [JSON.stringify(program), ...(size ? [pad(size)] : [])];
    const given =
      look === "signal" ? play.abortedAfter(abortMs, () => this.#cancelled(p, own)) : {};
    const blocks = texts.map((text) => ({ type: "text", text }));
    const key = retryMs !== undefined && this.#version > 1 && { idempotencyKey: p };
    const turn = session.prompt(blocks, { ...given, ...key });
    if (key)
      schedule(
        retryMs,
        () =>
          void play.call("retry", at, async () => {
            await session.prompt(blocks, key);
          }),
      );
    const own = { turn, s: session.id, hasEnded: false };
    this.#turns.set(p, own);
    const logEnd = (by) =>
      turn.then(
        ({ stopReason }) => this.#ended(own, { p, by, ok: true, stopReason }),
        (error) => this.#ended(own, { p, by, ok: false, error: describe(error) }),
      );
    switch (look) {
      case "late":
        await sleep(lookMs);
        break;
      case "race":
        while (await Promise.race([turn.then(no, no), sleep(lookMs + 1).then(() => true)]));
        break;
      case "catch":
        turn.catch(no);
        await sleep(lookMs);
        break;
      case "twice":
        void logEnd("first");
        await sleep(lookMs);
        break;
      case "loop":
      case "leave":
        await this.#loop(turn, own, p, look === "leave" ? 2 : Infinity);
        break;
    }
    return logEnd(look);
  }

  async #loop(turn, own, p, most) {
    const ids = [];
    try {
      for await (const update of turn) {
        ids.push(markOf(update)?.id);
        if (ids.length < most) continue;
        this.#cancelled(p, own);
        break;
      }
      if (ids.length < most) this.#play.add("looped", { p, ids });
    } catch {
      this.#play.add("looped", { p, ids });
    }
  }

  #ended(own, end) {
    own.hasEnded = true;
    this.#play.add("turn", end);
  }

  #cancelled(p, { s, hasEnded }) {
    if (!hasEnded) this.#play.add("cancel", { s, p });
  }

  #updated({ sessionId: s, update }, { agent }) {
    // A bridge repeats what the user has sent.
    const mark = update.sessionUpdate === "user_message_chunk" ? undefined : markOf(update);
    this.#play.add("handle", { s, id: mark?.id ?? update.toolCallId, tag: update.sessionUpdate });
    if (mark?.ms !== undefined || mark?.fails || mark?.re) return this.#handle(s, mark, agent);
    if (mark !== undefined) this.#play.add("handled", { id: mark.id });
  }

  async #handle(s, { id, ms, fails, re, p }, agent) {
    const session = this.#sessions.find((one) => one?.id === s);
    try {
      if (ms) await sleep(ms);
      const turn = re === "own" ? this.#turns.get(p)?.turn : undefined;
      if (turn) await WAYS[Number(id.slice(1)) % WAYS.length](turn).catch(no);
      if (re === "cancel" && session) {
        this.#play.add("cancel", { s });
        await session.cancel();
      }
      if (re === "list") await agent.session.list({ cursor: "{}" });
      if (re === "prompt" && session?.isOpen)
        await this.#prompt(
          session,
          { id: `${id}n`, steps: [], end: "end" },
          { look: "now", inside: true },
        );
      if (fails) throw new Error("thrown");
    } finally {
      this.#play.add("handled", { id });
    }
  }

  async #ask(text, { signal }, yes, no) {
    const { id, do: what, p, s, ms = 0, answer, fails } = JSON.parse(text);
    const play = this.#play;
    play.add("question", { id, what, ...(p && { p, s }) });
    let isOver = false;
    const aborted = () => !isOver && play.add("question-aborted", { id });
    signal.addEventListener("abort", aborted, { once: true });
    try {
      await sleep(ms);
      if (answer === "throw" || fails) throw new Error("thrown");
      if (answer === "wait") await sleepUnless(signal, 20_000);
      return answer === "reject" ? no() : yes(JSON.parse(text));
    } finally {
      isOver = true;
      play.add("question-end", { id });
    }
  }
}

/** Plays a conversation and returns its log. */
async function play({ seed, version, acts, wires, fault, over }) {
  reset();
  const game = new Play();
  const random = createRandom(seed);
  Math.random = () => random.below(1000) / 1000;
  const unhandled = (error) => game.add("unhandled", { error: describe(error) });
  process.on("unhandledRejection", unhandled).on("uncaughtException", unhandled);

  let served;
  const serve = (transport) => {
    const agent = new Agent(game, version);
    served = agent.connection = agent.create().connect(transport);
    void served.closed.then(() => game.add("closed", { side: "agent" }));
    return served;
  };
  const open = { http: openHttp, bridge: openBridge }[over] ?? openWires;
  const line = open(game, { random, wires, fault, over }, serve);
  const client = new Client(game, over === "bridge" ? 1 : version, version === 1);
  const faults = {
    clientClose: () => client.close(),
    agentClose: () => served.close(),
    agentDies: line.agentDies,
    clientDies: line.clientDies,
    stall: () => line.stall(fault.ms),
  };
  void client.connect(line.transport, acts).then(() => {
    if (!(fault?.kind in faults)) return;
    schedule(fault.t, () => {
      game.add("fault");
      faults[fault.kind]();
    });
  });
  await pass(QUIET_MS);
  const listeners = game.signals.map((signal) =>
    signal.aborted ? 0 : getEventListeners(signal, "abort").length,
  );
  game.add("quiet", {
    pending: client.pending + (served?.stats.pending ?? 0),
    running: served?.stats.running ?? 0,
    // An open connection over HTTP gives signs of life.
    left: listeners.reduce((sum, count) => sum + count, over === "http" ? 0 : countTimers()),
    states: client.states(),
  });
  client.close();
  await pass(QUIET_MS);
  served?.close();
  await pass(QUIET_MS);
  game.add("over", { left: countTimers() });
  process.off("unhandledRejection", unhandled).off("uncaughtException", unhandled);
  return game.log;
}

/** Connects both sides by two wires of bytes, or of a WebSocket's messages. */
function openWires(game, { random, wires, fault, over }, serve) {
  const wire = (dir, cut) =>
    new Wire(
      random,
      wires[dir],
      fault?.kind === cut ? fault : undefined,
      (line) => game.sent(dir, line),
      () => game.add("arrived", { dir }),
    );
  const toAgent = wire("toAgent", "cutToAgent");
  const toClient = wire("toClient", "cutToClient");
  const transport = (incoming, outgoing) =>
    over === "socket"
      ? webSocketTransport(new Socket(incoming, outgoing))
      : byteTransport(incoming.reader, outgoing.writer);
  serve(transport(toAgent, toClient));
  return {
    transport: transport(toClient, toAgent),
    agentDies: () => (toAgent.break(), toClient.end()),
    clientDies: () => (toClient.break(), toAgent.end()),
    stall: (ms) => toAgent.stall(ms),
  };
}

/** Connects a client of version 1 and an agent of version 2; what is logged passes the client. */
function openBridge(game, { random, wires }, serve) {
  let stalled = Promise.resolve();
  const stream = (dir) => {
    const transform = async (message, controller) => {
      game.sent(dir, JSON.stringify(message));
      await sleep(random.below(wires[dir].delay + 1));
      await stalled;
      game.add("arrived", { dir });
      controller.enqueue(message);
    };
    return new TransformStream({ transform });
  };
  const pair = (toAgent, toClient) => [
    { readable: toClient.readable, writable: toAgent.writable },
    { readable: toAgent.readable, writable: toClient.writable },
  ];
  const [ofClient, client] = pair(stream("toAgent"), stream("toClient"));
  const [agent, ofAgent] = pair(new TransformStream(), new TransformStream());
  void bridge({ client, agent });
  serve(ofAgent);
  return { transport: ofClient, stall: (ms) => (stalled = sleep(ms)) };
}

/** Connects both sides over HTTP. */
function openHttp(game, { random, wires, fault }, serve) {
  const logged = (transport, sent, arrived) =>
    tap(transport, (message, direction) => {
      if (direction === "outgoing") game.sent(sent, JSON.stringify(message));
      // The transport itself answers a request that the server has refused.
      else if (!message.error?.data?.status) game.add("arrived", { dir: arrived });
    });
  const server = createHttpHandler({
    serve: (transport) => serve(logged(transport, "toClient", "toAgent")),
    onError: (error) => game.add("report", { side: "agent", error: describe(error) }),
  });
  const http = new Http(random, wires, fault, server.fetch);
  const transport = httpTransport("http://localhost/acp", { fetch: http.fetch });
  return {
    transport: logged(transport, "toAgent", "toClient"),
    agentDies: () => http.break(),
    clientDies: () => http.break(),
    stall: (ms) => http.stall(ms),
  };
}

const no = () => false;

/** The ways in which a handler waits for its own turn. */
const WAYS = [
  async (turn) => turn,
  (turn) => turn.then(no),
  (turn) => turn.catch(no),
  (turn) => turn.finally(no),
  async (turn) => {
    for await (const _ of turn);
  },
];
const pad = (size = 0) => "x".repeat(size);

/** Returns the text of an update: how its handler behaves. */
function textOf({ id, ms, fails, re, size }, p) {
  return JSON.stringify({ id, ms, fails, re, p, pad: pad(size) });
}

/** Returns how the handler of an update behaves, or undefined for an update that is not of a program. */
function markOf({ content, title, entries, plan }) {
  const text = content?.text ?? title ?? (entries ?? plan?.entries)?.[0]?.content;
  return text?.startsWith("{") ? JSON.parse(text) : undefined;
}

/** Returns the ids of the updates that an entry of a timeline consists of. */
function idsOf({ type, message, toolCall }) {
  if (type === "tool_call") return [toolCall.toolCallId];
  if (message.kind === "user_message") return [];
  const text = message.content.map((block) => block.text).join("");
  return [...text.matchAll(/"id":"(u\d+)"/g)].map(([, id]) => id);
}

function describe(error) {
  const kinds = { RpcError, ConnectionClosedError, RequestTimeoutError, DOMException };
  const names = {
    RpcError: "rpc",
    ConnectionClosedError: "closed",
    RequestTimeoutError: "timeout",
    DOMException: "aborted",
  };
  const kind = Object.keys(kinds).find((name) => error instanceof kinds[name]);
  const { code, method, message = String(error) } = error ?? {};
  return {
    kind: names[kind] ?? "other",
    text: message.slice(0, 200),
    ...(kind === "RpcError" && { code }),
    ...(method && { method }),
  };
}

async function sleepUnless(signal, ms) {
  if (signal.aborted) return;
  let stop;
  const aborted = new Promise((resolve) => signal.addEventListener("abort", (stop = resolve)));
  await Promise.race([sleep(ms), aborted]);
  signal.removeEventListener("abort", stop);
}

/** Makes a random generator for the wires (xorshift). */
function createRandom(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return {
    below(limit) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % limit;
    },
  };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await play(JSON.parse(line)))}\n`);
