import { ErrorCodes } from "../../rpc/errors.js";
import {
  isRecord,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
} from "../../rpc/messages.js";
import type { Handlers } from "../dispatch.js";
import { canLogOut, capabilityAt, type BridgedHandshake } from "../handshake.js";
import { LIMITS } from "../limits.js";
import type { Relay } from "../relay.js";
import type { BridgedAnswer } from "../requests.js";
import { sessionNotFound } from "../session-not-found.js";
import { sessionOf } from "../sides.js";
import { answerCancelled, type Question } from "../state/questions.js";
import { idleOf } from "../state/turns.js";
import { Timers } from "../timers.js";
import { Closing } from "./closing.js";
import { ClientV2Opening } from "./opening.js";
import {
  allOptions,
  ClientV2Sessions,
  type UnconfirmedPrompt,
  type SessionForV2,
} from "./sessions.js";

type Params = Readonly<Record<string, unknown>>;

/** The time after which a prompt counts as accepted although nothing has happened, in milliseconds. */
const ACCEPTANCE_TIME = 250;

/** The answer to a cancelled prompt that the agent has refused. */
const PROMPT_CANCELLED = {
  error: { code: ErrorCodes.RequestCancelled, message: "The prompt was cancelled" },
};

/** The answer of version 1 to a prompt whose turn was cancelled. */
const CANCELLED_TURN = { result: { stopReason: "cancelled" } };

/** The updates of which a replay consists. */
const REPLAYED: ReadonlySet<unknown> = new Set([
  ...["user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "agent_message_clear"],
  ...["tool_call", "tool_call_update", "plan", "plan_update", "plan_removed"],
]);

/** Connects a client of version 2 to an agent of version 1. */
export class ClientV2 {
  readonly #relay: Relay;
  readonly #handshake: BridgedHandshake;
  readonly #sessions: ClientV2Sessions;
  readonly #opening: ClientV2Opening;
  readonly #closing: Closing;
  readonly #timers = new Timers();

  constructor(relay: Relay, handshake: BridgedHandshake) {
    this.#relay = relay;
    this.#handshake = handshake;
    this.#sessions = new ClientV2Sessions(relay);
    this.#opening = new ClientV2Opening(relay, handshake, this.#sessions);
    this.#closing = new Closing(relay, handshake, this.#sessions, this.#timers);
  }

  /** The turns of version 1 are requests, which the agent answers when its input has ended. */
  readonly hasOpenTurn = false;

  readonly fromClient: Handlers = {
    requests: {
      initialize: ({ id }) =>
        this.#relay.refuse("client", id, ErrorCodes.InvalidRequest, "initialize was answered"),
      "session/new": (message) => this.#opening.open(message, message.method),
      "session/fork": (message) => this.#opening.open(message, message.method),
      "session/resume": (message) => this.#opening.resume(message),
      "session/prompt": (message) => this.#whenOpen(message, (own) => this.#prompt(own)),
      "session/set_config_option": (message) =>
        this.#whenOpen(message, (own) => this.#opening.setOption(own)),
      "session/list": (message) => this.#list(message),
      "session/close": (message) => this.#closing.close(message),
      "session/delete": (message) => this.#closing.end(message, "delete"),
      "session/archive": (message) => this.#closing.end(message, "archive"),
      "auth/logout": (message) =>
        canLogOut({ agentCapabilities: this.#handshake.agent })
          ? this.#relay.passRequest("client", message)
          : this.#relay.refuseUnsupported(message),
    },
    notifications: { "session/cancel": (message) => this.#cancel(message) },
  };

  readonly fromAgent: Handlers = {
    requests: {
      "session/request_permission": (message) => this.#ask(message, "session/request_permission"),
      "elicitation/create": (message) => this.#ask(message, "elicitation/create"),
    },
    notifications: { "session/update": (message) => this.#update(message) },
  };

  /** Ends what waits, because the agent has ended. */
  end(): void {
    this.#timers.stop();
  }

  /** Lists the sessions of the agent, or those that the client has opened if the agent cannot. */
  #list(message: RequestMessage): void {
    if (capabilityAt(this.#handshake.agent, "sessionCapabilities", "list"))
      return void this.#relay.passRequest("client", message);
    const { cwd = null, cursor = null } = isRecord(message.params) ? message.params : {};
    if (cursor !== null)
      return this.#relay.refuse(
        "client",
        message.id,
        ErrorCodes.InvalidParams,
        "The cursor is not one that the agent has returned",
      );
    const sessions = this.#sessions.list().filter((one) => cwd === null || one.cwd === cwd);
    this.#relay.reply("client", message.id, { result: { sessions } });
  }

  /** Handles a request about a session, unless the session is closed or being closed. */
  #whenOpen(message: RequestMessage, handle: (message: RequestMessage) => void): void {
    const id = sessionOf(message.params) ?? "";
    if (this.#sessions.isClosed(id) || this.#sessions.get(id).onQuiet !== undefined)
      this.#relay.reply("client", message.id, sessionNotFound(id));
    else handle(message);
  }

  /** Sends a prompt, and confirms it when the agent has begun. Its answer is the end of the work. */
  #prompt({ id, method, params }: RequestMessage): void {
    const session = this.#sessions.get(sessionOf(params) ?? "");
    const converted = this.#relay.convert("client", "request", method, params);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    if (session.prompts.size >= LIMITS.prompts)
      return this.#relay.refuse("client", id, ErrorCodes.TooManyRequests, "Too many prompts");
    const content = isRecord(params) ? params["prompt"] : [];
    const messageId = session.ids.startTurn();
    const prompt: UnconfirmedPrompt = {
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
    session.questions.promptSent();
    const stop = this.#timers.start(ACCEPTANCE_TIME, prompt.confirm);
    this.#relay.call("agent", method, converted.value, id, (answer) => {
      stop();
      session.drop(prompt);
      if (prompt.isEnded) return;
      this.#end(session, prompt, answer, id);
      if (session.prompts.size === 0) this.#closing.endQuiet(session);
    });
  }

  /** Ends the work on a prompt. Cancelled work is cancelled, although the agent answers with an error. */
  #end(
    session: SessionForV2,
    prompt: UnconfirmedPrompt,
    answer: BridgedAnswer,
    id: RequestId,
  ): void {
    const { isCancelled, isConfirmed } = prompt;
    const isFailed = answer.error !== undefined;
    const context = { method: "session/prompt", sessionId: session.id };
    if (isFailed && isCancelled) this.#relay.losses.state("cancelled-with-error", context);
    if (isFailed && !isConfirmed)
      this.#relay.reply("client", id, isCancelled ? PROMPT_CANCELLED : answer);
    else {
      prompt.confirm();
      session.ids.startTurn();
      if (isFailed && !isCancelled) this.#relay.losses.state("turn-error", context);
      session.end = idleOf(isFailed && isCancelled ? CANCELLED_TURN : answer);
    }
    // While other prompts go on, the session is not idle.
    if (session.prompts.size > 0 || session.end === undefined) return;
    this.#send(session.id, session.end);
    session.end = undefined;
  }

  /** Asks the client. What an agent asks about a request is not part of the work of a session. */
  #ask(message: RequestMessage, question: Question): void {
    const sessionId = sessionOf(message.params);
    if (sessionId === undefined) return void this.#relay.passRequest("agent", message);
    if (this.#sessions.isClosed(sessionId)) return answerCancelled(this.#relay, message, question);
    const session = this.#sessions.get(sessionId);
    if (session.questions.isOpen) this.#confirmOldest(session);
    session.questions.ask(message, question);
  }

  #cancel(message: NotificationMessage): void {
    this.#relay.passNotification("client", message);
    this.#sessions.get(sessionOf(message.params) ?? "").cancel();
  }

  /** Confirms the prompt that the agent works on, which is the first. */
  #confirmOldest({ prompts }: SessionForV2): void {
    const [oldest] = prompts;
    oldest?.confirm();
  }

  #update({ method, params }: NotificationMessage): void {
    if (!isRecord(params) || !isRecord(params["update"])) return;
    const sessionId = String(params["sessionId"]);
    if (this.#sessions.isClosed(sessionId))
      return this.#relay.losses.state("session-closed", { method, sessionId });
    const session = this.#sessions.get(sessionId);
    const own = params["update"] as Params;
    if (session.prompts.size > 0) this.#confirmOldest(session);
    else if (session.isReplayLeftOut && REPLAYED.has(own["sessionUpdate"])) return;
    if (own["sessionUpdate"] === "session_info_update")
      this.#sessions.changeInfo(session, { title: own["title"], updatedAt: own["updatedAt"] });
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

  #modeChanged(session: SessionForV2, mode: Params, update: Params, params: Params): void {
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
