import { ErrorCodes } from "../rpc/errors.js";
import { isRecord, type NotificationMessage, type RequestMessage } from "../rpc/messages.js";
import { capabilityAt, type Handshake } from "./handshake.js";
import { LIMITS, RecentMap, sizeOf } from "./limits.js";
import { sessionOf, type Handlers, type Relay } from "./relay.js";
import type { Answer } from "./requests.js";
import { optionOf } from "./state/modes.js";
import { MessageIds } from "./state/message-ids.js";
import { idleOf } from "./state/turns.js";

type Params = Readonly<Record<string, unknown>>;

/** The time after which a prompt counts as accepted although nothing has happened, in milliseconds. */
const ACCEPTANCE_TIME = 250;

/** A prompt of a client of version 2, which is confirmed as soon as the agent works on it. */
interface Prompt {
  readonly confirm: () => void;
  isConfirmed: boolean;
}

/** A session, as an agent of version 1 has it. */
interface Session {
  readonly id: string;
  readonly ids: MessageIds;
  /** The configuration options in version 2, without that of the modes. */
  options: readonly unknown[];
  /** The option that stands for the modes. */
  mode: Params | undefined;
  readonly prompts: Set<Prompt>;
}

/** Connects a client of version 2 to an agent of version 1. */
export class ClientV2 {
  readonly #relay: Relay;
  readonly #handshake: Handshake;
  readonly #sessions = new RecentMap<string, Session>(LIMITS.sessions, LIMITS.size);
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(relay: Relay, handshake: Handshake) {
    this.#relay = relay;
    this.#handshake = handshake;
  }

  readonly fromClient: Handlers = {
    requests: {
      "session/new": (message) => this.#open(message, message.method),
      "session/fork": (message) => this.#open(message, message.method),
      "session/resume": (message) => this.#resume(message),
      "session/prompt": (message) => this.#prompt(message),
      "session/set_config_option": (message) => this.#setOption(message),
    },
    notifications: {},
  };

  readonly fromAgent: Handlers = {
    requests: {
      "session/request_permission": (message) => {
        this.#confirmAll(sessionOf(message.params));
        this.#relay.passRequest("agent", message);
      },
    },
    notifications: { "session/update": (message) => this.#update(message) },
  };

  /** Ends what waits, because the agent has ended. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #session(id: string): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session: Session = {
      id,
      ids: new MessageIds(),
      options: [],
      mode: undefined,
      prompts: new Set(),
    };
    this.#sessions.set(id, session);
    return session;
  }

  /** Remembers the options of a session; none when the value is not a list. */
  #setOptions(session: Session, options: unknown): void {
    session.options = Array.isArray(options) ? options : [];
    this.#sessions.resize(session.id, session.id.length + sizeOf(session.options));
  }

  /** Resumes a session, with `session/load` when it is to be replayed. */
  #resume(message: RequestMessage): void {
    const { id, method, params } = message;
    const replay = isRecord(params) ? (params["replayFrom"] ?? undefined) : undefined;
    if (replay === undefined) return this.#open(message, method);
    const isStart = isRecord(replay) && replay["type"] === "start";
    if (isStart && capabilityAt(this.#handshake.agent, "loadSession"))
      return this.#open(message, "session/load");
    this.#relay.losses.state("replay-unsupported", { method, sessionId: sessionOf(params) });
    this.#relay.refuse(
      "client",
      id,
      ErrorCodes.InvalidParams,
      "The agent cannot replay the session from there",
    );
  }

  /** @param name the method of version 1 */
  #open({ id, method, params }: RequestMessage, name: string): void {
    const context = { method, sessionId: sessionOf(params) };
    const row = name === "session/load" ? "LoadSessionRequest" : undefined;
    const converted = this.#relay.convert("client", "request", method, params, row);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    if (context.sessionId !== undefined) this.#session(context.sessionId).ids.startTurn();
    this.#relay.call("agent", name, converted.value, id, (answer) => {
      const { modes, ...rest } = isRecord(answer.result) ? answer.result : {};
      const given: Answer = isRecord(answer.result) ? { result: rest } : answer;
      const opened = sessionOf(answer.result) ?? context.sessionId;
      const reply = this.#relay.convertAnswer("agent", method, given, context, (value) =>
        opened === undefined ? value : this.#withMode(this.#session(opened), modes, value),
      );
      // Version 2 reports the state of a session before it confirms that it is resumed.
      if (method === "session/resume" && "result" in reply && opened !== undefined)
        this.#send(opened, { sessionUpdate: "state_update", state: "idle" });
      this.#relay.reply("client", id, reply);
    });
  }

  /** Adds the option that stands for the modes. */
  #withMode(session: Session, modes: unknown, result: unknown): unknown {
    if (!isRecord(result)) return result;
    this.#setOptions(session, result["configOptions"]);
    session.mode = optionOf(modes, session.options);
    return session.mode === undefined ? result : { ...result, configOptions: allOptions(session) };
  }

  /** Sets an option, or the mode that an option stands for. */
  #setOption(message: RequestMessage): void {
    const { id, params } = message;
    const session = this.#session(sessionOf(params) ?? "");
    const { configId, value } = isRecord(params) ? params : {};
    if (session.mode === undefined || configId !== session.mode["configId"])
      return this.#relay.passRequest("client", message, (result) => {
        if (!isRecord(result) || !Array.isArray(result["configOptions"])) return result;
        this.#setOptions(session, result["configOptions"]);
        return { ...result, configOptions: allOptions(session) };
      });
    this.#relay.call(
      "agent",
      "session/set_mode",
      { sessionId: session.id, modeId: value },
      id,
      (answer) => {
        if (answer.error !== undefined) return this.#relay.reply("client", id, answer);
        session.mode = { ...session.mode, currentValue: value };
        this.#relay.reply("client", id, { result: { configOptions: allOptions(session) } });
      },
    );
  }

  /** Sends a prompt, and confirms it when the agent has begun. Its answer is the end of the work. */
  #prompt({ id, method, params }: RequestMessage): void {
    const session = this.#session(sessionOf(params) ?? "");
    const context = { method, sessionId: session.id };
    const converted = this.#relay.convert("client", "request", method, params);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    const content = isRecord(params) ? params["prompt"] : [];
    const messageId = session.ids.startTurn();
    const prompt: Prompt = {
      isConfirmed: false,
      confirm: () => {
        if (prompt.isConfirmed) return;
        prompt.isConfirmed = true;
        this.#relay.reply("client", id, { result: { messageId } });
        this.#send(session.id, { sessionUpdate: "user_message", messageId, content });
        this.#send(session.id, { sessionUpdate: "state_update", state: "running" });
      },
    };
    session.prompts.add(prompt);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      prompt.confirm();
    }, ACCEPTANCE_TIME);
    this.#timers.add(timer);
    this.#relay.call("agent", method, converted.value, id, (answer) => {
      clearTimeout(timer);
      this.#timers.delete(timer);
      session.prompts.delete(prompt);
      if (answer.error !== undefined && !prompt.isConfirmed)
        return this.#relay.reply("client", id, answer);
      prompt.confirm();
      session.ids.startTurn();
      if (answer.error !== undefined) this.#relay.losses.state("turn-error", context);
      // Other prompts go on.
      if (session.prompts.size === 0) this.#send(session.id, idleOf(answer));
    });
  }

  #confirmAll(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    for (const { confirm } of this.#session(sessionId).prompts) confirm();
  }

  #update({ method, params }: NotificationMessage): void {
    if (!isRecord(params) || !isRecord(params["update"])) return;
    const session = this.#session(String(params["sessionId"]));
    if (session.prompts.size > 0) this.#confirmAll(session.id);
    const own = params["update"] as Params;
    if (own["sessionUpdate"] === "current_mode_update") return this.#modeChanged(session, own);
    const named = session.ids.name(own);
    const converted = this.#relay.convert(
      "agent",
      "notification",
      method,
      withUpdate(params, named),
    );
    if ("problem" in converted) return;
    const value = converted.value as { readonly update: Params };
    if (value.update["sessionUpdate"] !== "config_option_update")
      return this.#relay.notify("client", method, value);
    this.#setOptions(session, value.update["configOptions"]);
    this.#relay.notify("client", method, {
      ...value,
      update: { ...value.update, configOptions: allOptions(session) },
    });
  }

  #modeChanged(session: Session, { currentModeId }: Params): void {
    if (session.mode === undefined) return;
    session.mode = { ...session.mode, currentValue: currentModeId };
    this.#send(session.id, {
      sessionUpdate: "config_option_update",
      configOptions: allOptions(session),
    });
  }

  #send(sessionId: string, update: Params): void {
    this.#relay.notify("client", "session/update", { sessionId, update });
  }
}

function withUpdate(params: Params, update: Params): Params {
  if (params["update"] === update) return params;
  // Nearly every update has these two only, which is faster to copy.
  const hasOthers = Object.keys(params).length > 2;
  return hasOthers ? { ...params, update } : { sessionId: params["sessionId"], update };
}

/** Returns the options of a session, with that of the modes. */
function allOptions({ mode, options }: Session): readonly unknown[] {
  return mode === undefined ? options : [mode, ...options];
}
