import { ErrorCodes } from "../rpc/errors.js";
import { isRecord, type NotificationMessage, type RequestMessage } from "../rpc/messages.js";
import { capabilityAt, type Handshake } from "./handshake.js";
import { LIMITS, RecentMap } from "./limits.js";
import { sessionOf, type Handlers, type Relay } from "./relay.js";
import { modeOption, modesOf } from "./state/modes.js";
import { endOf, Turns } from "./state/turns.js";
import { NOTHING, UpdatesToV1 } from "./updates-to-v1.js";

type Params = Readonly<Record<string, unknown>>;

/** A session, as a client of version 1 has it. */
interface Session {
  readonly id: string;
  readonly turns: Turns;
  readonly updates: UpdatesToV1;
  /** Whether work was reported since the session was idle last. */
  hasWorked: boolean;
}

/** Connects a client of version 1 to an agent of version 2. */
export class ClientV1 {
  readonly #relay: Relay;
  readonly #handshake: Handshake;
  readonly #sessions = new RecentMap<string, Session>(
    LIMITS.sessions,
    LIMITS.size,
    ({ turns }: Session) => endAll(turns, "The bridge has too many sessions"),
  );

  constructor(relay: Relay, handshake: Handshake) {
    this.#relay = relay;
    this.#handshake = handshake;
  }

  readonly fromClient: Handlers = {
    requests: {
      "session/new": (message) => this.#open(message),
      "session/fork": (message) => this.#open(message),
      "session/resume": (message) => this.#open(message),
      "session/load": (message) => this.#open(message),
      "session/prompt": (message) => this.#prompt(message),
      "session/set_mode": (message) => this.#setMode(message),
      "session/set_config_option": (message) =>
        this.#relay.passRequest("client", message, (result) => {
          const { updates } = this.#session(sessionOf(message.params)!);
          if (isRecord(result)) updates.modeChanged(result["configOptions"]);
          return updates.withOfferedOptions(result, message.method);
        }),
      "session/close": (message) =>
        this.#relay.passRequest("client", message, (result) => {
          this.#close(sessionOf(message.params));
          return result;
        }),
    },
    notifications: {
      "session/cancel": (message) => {
        this.#session(sessionOf(message.params) ?? "").turns.cancel();
        this.#relay.passNotification("client", message);
      },
      "$/cancel_request": (message) => this.#cancelRequest(message),
    },
  };

  readonly fromAgent: Handlers = {
    requests: {},
    notifications: { "session/update": (message) => this.#update(message) },
  };

  /** Answers the prompts that wait, because the agent has ended. */
  end(): void {
    for (const { turns } of this.#sessions.values()) endAll(turns, "The agent has ended");
  }

  #session(id: string): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const updates = new UpdatesToV1(id, this.#relay, this.#handshake.client);
    const session: Session = { id, turns: new Turns(), updates, hasWorked: false };
    this.#sessions.set(id, session);
    return session;
  }

  /** Opens a session. Commands come in the response of version 2 and as an update in version 1. */
  #open(message: RequestMessage): void {
    const { method, id, params } = message;
    const context = { method, sessionId: sessionOf(params) };
    const own = this.#withoutStdio(params, context);
    const converted = this.#relay.convert("client", "request", method, own);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    const isReplayed = method === "session/load" && context.sessionId !== undefined;
    const session = context.sessionId === undefined ? undefined : this.#session(context.sessionId);
    if (isReplayed) session!.updates.isReplaying = true;
    const name = method === "session/load" ? "session/resume" : method;
    this.#relay.call("agent", name, converted.value, id, (answer) => {
      if (session !== undefined) session.updates.isReplaying = false;
      const result = isRecord(answer.result) ? answer.result : undefined;
      const { availableCommands, ...rest } = result ?? {};
      const given = result === undefined ? answer : { result: rest };
      const opened = sessionOf(result) ?? context.sessionId;
      this.#relay.reply(
        "client",
        id,
        this.#relay.convertAnswer("agent", method, given, context, (value) =>
          opened === undefined ? value : this.#withModes(this.#session(opened), value, method),
        ),
      );
      if (opened !== undefined && Array.isArray(availableCommands) && availableCommands.length > 0)
        this.#session(opened).updates.apply({
          sessionUpdate: "available_commands_update",
          availableCommands,
        });
    });
  }

  /** Leaves out MCP servers that the agent does not take, which every agent of version 1 does. */
  #withoutStdio(params: unknown, context: { readonly method: string }): unknown {
    if (!isRecord(params) || !Array.isArray(params["mcpServers"])) return params;
    if (capabilityAt(this.#handshake.agent, "session", "mcp", "stdio")) return params;
    const mcpServers = params["mcpServers"].filter(
      (server) => !isRecord(server) || server["type"] !== undefined,
    );
    for (let left = params["mcpServers"].length - mcpServers.length; left > 0; left--)
      this.#relay.losses.state("mcp-stdio-not-offered", context);
    return { ...params, mcpServers };
  }

  /** Adds the modes of version 1 to a response with the option that stands for them. */
  #withModes({ updates }: Session, result: unknown, method: string): unknown {
    if (!isRecord(result) || !Array.isArray(result["configOptions"])) return result;
    const option = modeOption(result["configOptions"]);
    const modes = option && modesOf(option);
    updates.mode = option &&
      modes && { configId: String(option["id"]), currentModeId: String(modes["currentModeId"]) };
    const offered = updates.withOfferedOptions(result, method) as Params;
    return modes === undefined ? offered : { ...offered, modes };
  }

  /** Sends a prompt. Version 2 confirms it at once; version 1 hears of it when the work has ended. */
  #prompt({ id, method, params }: RequestMessage): void {
    const session = this.#session(sessionOf(params) ?? "");
    const context = { method, sessionId: session.id };
    const converted = this.#relay.convert("client", "request", method, params);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    if (session.turns.count >= LIMITS.prompts)
      return this.#relay.refuse("client", id, ErrorCodes.TooManyRequests, "Too many prompts");
    if (session.turns.isBusy) this.#relay.losses.state("prompt-while-busy", context);
    const prompt = session.turns.start(id, (answer) => this.#relay.reply("client", id, answer));
    session.updates.promptSent();
    this.#relay.call("agent", method, converted.value, id, (answer) => {
      const messageId = isRecord(answer.result) ? answer.result["messageId"] : undefined;
      session.updates.promptInserted(messageId);
      if (answer.error !== undefined) {
        const { isCancelled } = session.turns;
        session.turns.drop(prompt);
        return prompt.answer(isCancelled ? { result: { stopReason: "cancelled" } } : answer);
      }
      const idle = session.turns.insert(prompt);
      if (idle !== undefined) this.#answerPrompt(session, prompt.answer, idle);
    });
  }

  #answerPrompt({ id, turns }: Session, reply: (answer: object) => void, idle: Params): void {
    const { answer, loss } = endOf(idle, turns.isCancelled);
    if (loss !== undefined)
      this.#relay.losses.state(loss, { method: "session/prompt", sessionId: id });
    reply(answer);
  }

  #setMode({ id, params }: RequestMessage): void {
    const session = this.#session(sessionOf(params) ?? "");
    const configId = session.updates.mode?.configId;
    if (configId === undefined || !isRecord(params))
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, "The session has no modes");
    const { sessionId, modeId, _meta } = params;
    const own = {
      sessionId,
      configId,
      type: "id",
      value: modeId,
      ...(_meta !== undefined && { _meta }),
    };
    this.#relay.call("agent", "session/set_config_option", own, id, (answer) => {
      this.#relay.reply("client", id, answer.error === undefined ? { result: {} } : answer);
      if (isRecord(answer.result))
        session.updates.apply({
          sessionUpdate: "config_option_update",
          configOptions: answer.result["configOptions"],
        });
    });
  }

  #close(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    for (const { answer } of this.#session(sessionId).turns.clear())
      answer({ result: { stopReason: "cancelled" } });
    this.#sessions.delete(sessionId);
  }

  /** A prompt that was confirmed is no longer a request of version 2; its work is cancelled. */
  #cancelRequest(message: NotificationMessage): void {
    const requestId = isRecord(message.params) ? message.params["requestId"] : undefined;
    const session = [...this.#sessions.values()].find(({ turns }) => turns.hasInserted(requestId));
    if (session === undefined) return this.#relay.passCancellation("client", message);
    session.turns.cancel();
    this.#relay.notify("agent", "session/cancel", { sessionId: session.id });
  }

  #update({ method, params }: NotificationMessage): void {
    if (!isRecord(params) || !isRecord(params["update"])) return;
    const session = this.#session(String(params["sessionId"]));
    const own = params["update"] as Params;
    if (own["sessionUpdate"] !== "state_update") {
      session.updates.apply(own, othersOf(params));
      return this.#sessions.resize(session.id, session.id.length + session.updates.size);
    }
    const context = { method, sessionId: session.id };
    if (Array.isArray(own["background"]) && own["background"].length > 0)
      this.#relay.losses.state("background-work", context);
    if (own["state"] === "requires_action") this.#relay.losses.state("requires-action", context);
    session.hasWorked ||= own["state"] !== "idle";
    if (own["state"] !== "idle") return;
    session.updates.flush();
    for (const { answer } of session.turns.end(own, session.hasWorked))
      this.#answerPrompt(session, answer, own);
    session.turns.settle();
    session.hasWorked = false;
  }
}

/** Answers the prompts of a session with an error. */
function endAll(turns: Turns, message: string): void {
  for (const { answer } of turns.clear())
    answer({ error: { code: ErrorCodes.InternalError, message } });
}

/** Returns the params of an update besides the two that every update has. */
function othersOf(params: Params): Params {
  if (Object.keys(params).length === 2) return NOTHING;
  const { sessionId: _, update: __, ...rest } = params;
  return rest;
}
