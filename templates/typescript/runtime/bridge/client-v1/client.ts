import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord, type NotificationMessage, type RequestMessage } from "../../rpc/messages.js";
import { hasOtherProperties } from "../convert/other-properties.js";
import type { Handlers } from "../dispatch.js";
import type { BridgedHandshake } from "../handshake.js";
import { LIMITS } from "../limits.js";
import type { Relay } from "../relay.js";
import { sessionOf } from "../sides.js";
import { endOf, isEnd, type Prompt } from "../state/turns.js";
import { Timers } from "../timers.js";
import { ClientV1Opening } from "./opening.js";
import { ClientV1Sessions, type SessionForV1 } from "./sessions.js";
import { QUIET_TIME, restAfter } from "../../session/rest.js";
import { NOTHING } from "./updates.js";

/** The properties of an update of the state. */
const STATE = ["sessionUpdate", "state", "background"];

type Params = Readonly<Record<string, unknown>>;

/** Output of tool calls waits for more of it at most so long, in milliseconds. */
const FLUSH_TIME = 200;

/** Connects a client of version 1 to an agent of version 2. */
export class ClientV1 {
  readonly #relay: Relay;
  readonly #sessions: ClientV1Sessions;
  readonly #opening: ClientV1Opening;
  /** The number of tool calls that the bridge has generated for permissions. */
  #permissions = 0;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #quietTimers = new Timers();

  constructor(relay: Relay, handshake: BridgedHandshake) {
    this.#relay = relay;
    this.#sessions = new ClientV1Sessions(relay, handshake);
    this.#opening = new ClientV1Opening(relay, handshake, this.#sessions);
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
            const { updates } = this.#sessions.get(sessionOf(message.params) ?? "");
            const offered = updates.options.offer(result, message.method);
            updates.sendMode();
            return offered;
          },
        }),
      "session/close": (message) => this.#end(message),
      "session/delete": (message) => this.#end(message),
      "session/archive": (message) => this.#end(message),
    },
    notifications: {
      "session/cancel": (message) => {
        this.#relay.passNotification("client", message);
        this.#cancelled(this.#sessions.get(sessionOf(message.params) ?? ""));
      },
      "$/cancel_request": (message) => this.#cancelRequest(message),
    },
  };

  readonly fromAgent: Handlers = {
    requests: {
      "session/request_permission": (message) => this.#askPermission(message),
      "elicitation/create": (message) => this.#elicit(message),
    },
    notifications: { "session/update": (message) => this.#update(message) },
  };

  get hasOpenTurn(): boolean {
    return this.#sessions.hasOpenTurn;
  }

  /** Sends and answers what waits, because the agent has ended. */
  end(reason: string): void {
    clearTimeout(this.#flushTimer);
    this.#quietTimers.stop();
    this.#sessions.agentEnded(reason);
  }

  /** Sends a prompt. Version 2 confirms it at once; version 1 gets the response when the turn ends. */
  #prompt({ id, method, params }: RequestMessage): void {
    const session = this.#sessions.get(sessionOf(params) ?? "");
    const converted = this.#relay.convert("client", "request", method, params);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    if (session.turns.count >= LIMITS.prompts)
      return this.#relay.refuse("client", id, ErrorCodes.TooManyRequests, "Too many prompts");
    if (session.turns.isBusy) this.#lose(session, "prompt-while-busy", method);
    // The end of earlier work is not that of this prompt.
    else session.hasWorked = false;
    // What was reported before does not end it.
    if (session.rest !== undefined) session.rest = { ...session.rest };
    const prompt = this.#sessions.start(session, id);
    session.updates.promptSent();
    session.questions.promptSent();
    this.#relay.call("agent", method, converted.value, id, (answer) => {
      const { messageId } = isRecord(answer.result) ? answer.result : {};
      session.updates.promptInserted(messageId);
      if (answer.error !== undefined) {
        session.turns.drop(prompt);
        endCancelledWork(session);
        return prompt.answer(prompt.isCancelled ? { result: { stopReason: "cancelled" } } : answer);
      }
      if (hasOtherProperties(answer.result, ["messageId"]))
        this.#lose(session, "details-left-out", method);
      prompt.isInserted = true;
      if (prompt.isEndSure) return this.#endEarly(session, prompt);
      if (prompt.isCancelRequested) this.#cancelWork(session);
      if (prompt.end !== undefined) this.#endWhenQuiet(session, prompt);
    });
  }

  /** Answers a prompt whose end came before its confirmation, unless work was reported since. */
  #endEarly(session: SessionForV1, prompt: Prompt): void {
    const end = session.turns.takeEnd(prompt);
    if (end === undefined) return;
    endCancelledWork(session);
    this.#answerPrompt(session, prompt, end);
  }

  /** An idle session that reports no work for a while after it has confirmed a prompt has none. */
  #endWhenQuiet(session: SessionForV1, prompt: Prompt): void {
    this.#quietTimers.start(QUIET_TIME, () => this.#endEarly(session, prompt));
  }

  #answerPrompt(session: SessionForV1, prompt: Prompt, idle: Params): void {
    const { answer, losses } = endOf(idle, prompt.isCancelled);
    for (const loss of losses) this.#lose(session, loss, "session/prompt");
    prompt.answer(answer);
  }

  #lose({ id }: SessionForV1, loss: string, method: string): void {
    this.#relay.losses.state(loss, { method, sessionId: id });
  }

  /** Closes, deletes or archives a session. */
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
    const { updates, questions } = this.#sessions.get(sessionId ?? "");
    // Version 2 merges these details into the tool call, and shows all of its content.
    if (isRecord(toolCall) && typeof toolCall["toolCallId"] === "string" && sessionId !== undefined)
      updates.apply({ ...toolCall, sessionUpdate: "tool_call_update" });
    questions.ask(message, "session/request_permission", {
      params: (params) => {
        if (!isRecord(params) || !isRecord(params["toolCall"])) return params;
        const own = isOwn ? {} : { toolCallId: `permission-${++this.#permissions}` };
        return { ...params, toolCall: { ...updates.shown(params["toolCall"]), ...own } };
      },
    });
  }

  /** Asks about a session. What an agent asks about a request is not part of work that is cancelled. */
  #elicit(message: RequestMessage): void {
    const sessionId = sessionOf(message.params);
    if (sessionId === undefined) this.#relay.passRequest("agent", message);
    else this.#sessions.get(sessionId).questions.ask(message, "elicitation/create");
  }

  /** A prompt that was confirmed is no longer a request of version 2; its work is cancelled. */
  #cancelRequest(message: NotificationMessage): void {
    const { requestId, ...rest } = isRecord(message.params) ? message.params : {};
    const found = this.#sessions.findPrompt(requestId);
    if (found?.prompt.isInserted === true) return this.#cancelWork(found.session, rest);
    if (found !== undefined) found.prompt.isCancelRequested = true;
    this.#relay.passCancellation("client", message);
  }

  #cancelWork(session: SessionForV1, rest: Params = NOTHING): void {
    this.#relay.notify("agent", "session/cancel", { ...rest, sessionId: session.id });
    this.#cancelled(session);
  }

  #cancelled({ turns, questions, hasWorked }: SessionForV1): void {
    turns.cancel();
    questions.cancel(turns.isBusy || hasWorked);
  }

  #update({ method, params }: NotificationMessage): void {
    if (!isRecord(params) || !isRecord(params["update"])) return;
    const session = this.#sessions.get(String(params["sessionId"]));
    const own = params["update"] as Params;
    const before = session.rest;
    session.rest = restAfter(before, own);
    if (own["sessionUpdate"] !== "state_update") {
      session.updates.apply(own, othersOf(params));
      if (own["sessionUpdate"] === "subagent_update" && !session.updates.knowsSubagents)
        this.#sessions.hide(String(own["sessionId"]));
      if (session.updates.isWaiting)
        this.#flushTimer ??= setTimeout(() => this.#flush(), FLUSH_TIME);
      return this.#sessions.resize(session);
    }
    if (Array.isArray(own["background"]) && own["background"].length > 0)
      this.#lose(session, "background-work", method);
    const { state } = own;
    if (state === "requires_action") this.#lose(session, "requires-action", method);
    const isRepeated = session.rest === before && !session.turns.isCancelling;
    if (isRepeated && state === "idle" && session.turns.isBusy)
      this.#quietTimers.start(QUIET_TIME, () => {
        if (session.rest === before) this.#idle(session, own);
      });
    const isCarried = state === "idle" && !isRepeated && this.#idle(session, own);
    const known = isCarried ? undefined : [...STATE, ...(state === "idle" ? ["stopReason"] : [])];
    if (othersOf(params) !== NOTHING || (known !== undefined && hasOtherProperties(own, known)))
      this.#lose(session, "details-left-out", method);
    if (state === "idle") return;
    session.hasWorked = true;
    session.turns.work();
    if (state === "running") session.questions.workBegan();
  }

  /** Answers the prompts whose work has ended. Returns whether any answer says what the update says. */
  #idle(session: SessionForV1, idle: Params): boolean {
    session.updates.flush();
    session.questions.workEnded();
    const ended = session.turns.end(idle, session.hasWorked);
    for (const prompt of ended) this.#answerPrompt(session, prompt, idle);
    const isCarried = ended.length > 0 || (session.hasWorked && session.turns.isBusy);
    session.hasWorked = false;
    return isCarried;
  }

  #flush(): void {
    this.#flushTimer = undefined;
    this.#sessions.flush();
  }
}

/** Ends cancelled work of which no prompt is left and nothing was reported, so that no idle state follows. */
function endCancelledWork({ turns, questions, hasWorked }: SessionForV1): void {
  if (!turns.isCancelling && !hasWorked) questions.workEnded();
}

/** Returns the params of an update besides the two that every update has. */
function othersOf(params: Params): Params {
  if (Object.keys(params).length === 2) return NOTHING;
  const { sessionId: _, update: __, ...rest } = params;
  return rest;
}
