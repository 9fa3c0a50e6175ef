import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord, type NotificationMessage, type RequestMessage } from "../../rpc/messages.js";
import type { Handlers } from "../dispatch.js";
import type { Handshake } from "../handshake.js";
import { LIMITS } from "../limits.js";
import { sessionOf, type Relay } from "../relay.js";
import { endOf, isEnd } from "../state/turns.js";
import { Opening } from "./opening.js";
import { Sessions, type Session } from "./sessions.js";
import { NOTHING } from "./updates.js";

type Params = Readonly<Record<string, unknown>>;

/** Output of tool calls waits for more of it at most so long, in milliseconds. */
const FLUSH_TIME = 200;

/** Connects a client of version 1 to an agent of version 2. */
export class ClientV1 {
  readonly #relay: Relay;
  readonly #sessions: Sessions;
  readonly #opening: Opening;
  /** The number of tool calls that the bridge has made up for permissions. */
  #permissions = 0;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(relay: Relay, handshake: Handshake) {
    this.#relay = relay;
    this.#sessions = new Sessions(relay, handshake);
    this.#opening = new Opening(relay, handshake, this.#sessions);
  }

  readonly fromClient: Handlers = {
    requests: {
      "session/new": (message) => this.#opening.open(message),
      "session/fork": (message) => this.#opening.open(message),
      "session/resume": (message) => this.#opening.open(message),
      "session/load": (message) => this.#opening.open(message),
      "session/prompt": (message) => this.#prompt(message),
      "session/set_mode": (message) => this.#opening.setMode(message),
      "session/set_config_option": (message) =>
        this.#relay.passRequest("client", message, {
          result: (result) => {
            const { updates } = this.#sessions.get(sessionOf(message.params)!);
            if (isRecord(result)) updates.modeChanged(result["configOptions"]);
            return updates.withOfferedOptions(result, message.method);
          },
        }),
      "session/close": (message) => this.#end(message),
      "session/delete": (message) => this.#end(message),
    },
    notifications: {
      "session/cancel": (message) => {
        this.#sessions.get(sessionOf(message.params) ?? "").turns.cancel();
        this.#relay.passNotification("client", message);
      },
      "$/cancel_request": (message) => this.#cancelRequest(message),
    },
  };

  readonly fromAgent: Handlers = {
    requests: { "session/request_permission": (message) => this.#askPermission(message) },
    notifications: { "session/update": (message) => this.#update(message) },
  };

  /** Sends and answers what waits, because the agent has ended. */
  end(): void {
    clearTimeout(this.#flushTimer);
    this.#sessions.agentEnded();
  }

  /** Sends a prompt. Version 2 confirms it at once; version 1 hears of it when the work has ended. */
  #prompt({ id, method, params }: RequestMessage): void {
    const session = this.#sessions.get(sessionOf(params) ?? "");
    const context = { method, sessionId: session.id };
    const converted = this.#relay.convert("client", "request", method, params);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    if (session.turns.count >= LIMITS.prompts)
      return this.#relay.refuse("client", id, ErrorCodes.TooManyRequests, "Too many prompts");
    if (session.turns.isBusy) this.#relay.losses.state("prompt-while-busy", context);
    // The end of earlier work is not that of this prompt.
    else session.hasWorked = false;
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
      if (prompt.isCancelRequested && idle === undefined) this.#cancelWork(session);
      if (idle !== undefined) this.#answerPrompt(session, prompt.answer, idle);
    });
  }

  #answerPrompt({ id, turns }: Session, reply: (answer: object) => void, idle: Params): void {
    const { answer, loss } = endOf(idle, turns.isCancelled);
    if (loss !== undefined)
      this.#relay.losses.state(loss, { method: "session/prompt", sessionId: id });
    reply(answer);
  }

  /** Closes or deletes a session. */
  #end(message: RequestMessage): void {
    const sessionId = sessionOf(message.params);
    this.#relay.passRequest("client", message, {
      answer: (answer) => {
        if (sessionId !== undefined && isEnd(answer)) this.#sessions.end(sessionId);
        return answer;
      },
    });
  }

  /** Asks about a tool call; one that the bridge makes up gets an id of its own. */
  #askPermission(message: RequestMessage): void {
    const { subject } = isRecord(message.params) ? message.params : {};
    const toolCall = isRecord(subject) ? subject["toolCall"] : undefined;
    const isOwn =
      isRecord(toolCall) || (isRecord(subject) && typeof subject["toolCallId"] === "string");
    const sessionId = sessionOf(message.params);
    // Version 2 merges these details into the tool call, and shows all of its content.
    if (isRecord(toolCall) && typeof toolCall["toolCallId"] === "string" && sessionId !== undefined)
      this.#sessions
        .get(sessionId)
        .updates.apply({ ...toolCall, sessionUpdate: "tool_call_update" });
    this.#relay.passRequest("agent", message, {
      params: (params) => {
        if (isOwn || !isRecord(params) || !isRecord(params["toolCall"])) return params;
        const toolCallId = `permission-${++this.#permissions}`;
        return { ...params, toolCall: { ...params["toolCall"], toolCallId } };
      },
    });
  }

  /** A prompt that was confirmed is no longer a request of version 2; its work is cancelled. */
  #cancelRequest(message: NotificationMessage): void {
    const requestId = isRecord(message.params) ? message.params["requestId"] : undefined;
    const session = this.#sessions.findByPrompt(requestId);
    const prompt = session?.turns.find(requestId);
    if (session !== undefined && prompt?.isInserted === true) return this.#cancelWork(session);
    if (prompt !== undefined) prompt.isCancelRequested = true;
    this.#relay.passCancellation("client", message);
  }

  #cancelWork({ id, turns }: Session): void {
    turns.cancel();
    this.#relay.notify("agent", "session/cancel", { sessionId: id });
  }

  #update({ method, params }: NotificationMessage): void {
    if (!isRecord(params) || !isRecord(params["update"])) return;
    const session = this.#sessions.get(String(params["sessionId"]));
    const own = params["update"] as Params;
    if (own["sessionUpdate"] !== "state_update") {
      session.updates.apply(own, othersOf(params));
      if (session.updates.isWaiting)
        this.#flushTimer ??= setTimeout(() => this.#flush(), FLUSH_TIME);
      return this.#sessions.resize(session);
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

  #flush(): void {
    this.#flushTimer = undefined;
    this.#sessions.flush();
  }
}

/** Returns the params of an update besides the two that every update has. */
function othersOf(params: Params): Params {
  if (Object.keys(params).length === 2) return NOTHING;
  const { sessionId: _, update: __, ...rest } = params;
  return rest;
}
