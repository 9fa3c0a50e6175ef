import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord, type NotificationMessage, type RequestMessage } from "../../rpc/messages.js";
import type { Handlers } from "../dispatch.js";
import { canLogOut, capabilityAt, type Handshake } from "../handshake.js";
import { LIMITS } from "../limits.js";
import type { Relay } from "../relay.js";
import { sessionOf } from "../sides.js";
import { idleOf } from "../state/turns.js";
import { Opening } from "./opening.js";
import { allOptions, Sessions, type Prompt, type Session } from "./sessions.js";

type Params = Readonly<Record<string, unknown>>;

/** The time after which a prompt counts as accepted although nothing has happened, in milliseconds. */
const ACCEPTANCE_TIME = 250;

/** The answer to a request for permission whose turn is cancelled. */
const CANCELLED = { result: { outcome: { outcome: "cancelled" } } };

/** Connects a client of version 2 to an agent of version 1. */
export class ClientV2 {
  readonly #relay: Relay;
  readonly #handshake: Handshake;
  readonly #sessions = new Sessions();
  readonly #opening: Opening;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(relay: Relay, handshake: Handshake) {
    this.#relay = relay;
    this.#handshake = handshake;
    this.#opening = new Opening(relay, handshake, this.#sessions);
  }

  readonly fromClient: Handlers = {
    requests: {
      "session/new": (message) => this.#opening.open(message, message.method),
      "session/fork": (message) => this.#opening.open(message, message.method),
      "session/resume": (message) => this.#opening.resume(message),
      "session/prompt": (message) => this.#prompt(message),
      "session/set_config_option": (message) => this.#opening.setOption(message),
      "session/list": (message) => this.#passOffered(message, "list"),
      "session/close": (message) => this.#passOffered(message, "close"),
      "session/delete": (message) => this.#passOffered(message, "delete"),
      "auth/logout": (message) =>
        canLogOut({ agentCapabilities: this.#handshake.agent })
          ? this.#relay.passRequest("client", message)
          : this.#relay.refuseUnsupported(message),
    },
    notifications: { "session/cancel": (message) => this.#cancel(message) },
  };

  readonly fromAgent: Handlers = {
    requests: {
      "session/request_permission": (message) => this.#askPermission(message),
    },
    notifications: { "session/update": (message) => this.#update(message) },
  };

  /** Ends what waits, because the agent has ended. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /**
   * Passes a request on if the agent has advertised it, which version 1 asks for. A session that is
   * closed or deleted becomes idle first.
   */
  #passOffered(message: RequestMessage, capability: "list" | "close" | "delete"): void {
    if (!capabilityAt(this.#handshake.agent, "sessionCapabilities", capability))
      return this.#relay.refuseUnsupported(message);
    const sessionId = sessionOf(message.params);
    this.#relay.passRequest("client", message, {
      result: (result) => {
        if (capability !== "list" && sessionId !== undefined)
          this.#close(this.#sessions.get(sessionId));
        return result;
      },
    });
  }

  #close(session: Session): void {
    this.#withdrawPermissions(session);
    for (const prompt of session.prompts) {
      prompt.confirm();
      prompt.isEnded = true;
    }
    if (session.prompts.size > 0)
      this.#send(session.id, idleOf({ result: { stopReason: "cancelled" } }));
    this.#sessions.delete(session.id);
  }

  /** Sends a prompt, and confirms it when the agent has begun. Its answer is the end of the work. */
  #prompt({ id, method, params }: RequestMessage): void {
    const session = this.#sessions.get(sessionOf(params) ?? "");
    const context = { method, sessionId: session.id };
    const converted = this.#relay.convert("client", "request", method, params);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    if (session.prompts.size >= LIMITS.prompts)
      return this.#relay.refuse("client", id, ErrorCodes.TooManyRequests, "Too many prompts");
    const content = isRecord(params) ? params["prompt"] : [];
    const messageId = session.ids.startTurn();
    const prompt: Prompt = {
      isConfirmed: false,
      isEnded: false,
      isCancelled: false,
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
      if (prompt.isEnded) return;
      if (answer.error !== undefined && !prompt.isConfirmed)
        this.#relay.reply("client", id, answer);
      else {
        prompt.confirm();
        session.ids.startTurn();
        if (answer.error !== undefined) this.#relay.losses.state("turn-error", context);
        session.end = idleOf(answer);
      }
      // While other prompts go on, the session is not idle.
      if (session.prompts.size > 0 || session.end === undefined) return;
      this.#send(session.id, session.end);
      session.end = undefined;
    });
  }

  /** Asks for permission, unless the turn is cancelled, after which version 1 wants an answer at once. */
  #askPermission(message: RequestMessage): void {
    const { id, params } = message;
    const session = this.#sessions.get(sessionOf(params) ?? "");
    const [oldest] = session.prompts;
    if (oldest?.isCancelled) return this.#relay.reply("agent", id, CANCELLED);
    oldest?.confirm();
    session.permissions.add(id);
    this.#relay.passRequest("agent", message, {
      answer: (answer) => {
        session.permissions.delete(id);
        return answer;
      },
    });
  }

  #cancel(message: NotificationMessage): void {
    this.#relay.passNotification("client", message);
    const session = this.#sessions.get(sessionOf(message.params) ?? "");
    for (const prompt of session.prompts) prompt.isCancelled = true;
    this.#withdrawPermissions(session);
  }

  #withdrawPermissions({ permissions }: Session): void {
    for (const id of [...permissions]) this.#relay.withdraw("agent", id, CANCELLED);
  }

  /** Confirms the prompt that the agent works on, which is the first. */
  #confirmOldest({ prompts }: Session): void {
    const [oldest] = prompts;
    oldest?.confirm();
  }

  #update({ method, params }: NotificationMessage): void {
    if (!isRecord(params) || !isRecord(params["update"])) return;
    const session = this.#sessions.get(String(params["sessionId"]));
    if (session.prompts.size > 0) this.#confirmOldest(session);
    const own = params["update"] as Params;
    if (own["sessionUpdate"] === "current_mode_update" && session.mode !== undefined)
      return this.#modeChanged(session, session.mode, own, params);
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
    this.#sessions.setOptions(session, value.update["configOptions"]);
    this.#relay.notify("client", method, {
      ...value,
      update: { ...value.update, configOptions: allOptions(session) },
    });
  }

  #modeChanged(session: Session, mode: Params, update: Params, params: Params): void {
    const { currentModeId, ...rest } = update;
    this.#sessions.setMode(session, { ...mode, currentValue: currentModeId });
    this.#relay.notify("client", "session/update", {
      ...params,
      update: {
        ...rest,
        sessionUpdate: "config_option_update",
        configOptions: allOptions(session),
      },
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
