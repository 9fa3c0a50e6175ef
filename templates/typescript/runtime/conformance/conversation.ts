import { ErrorCodes } from "../rpc/errors.js";
import { classify } from "../rpc/messages.js";
import type { MethodDescriptor } from "../methods.js";
import { findInvalidOption } from "./config.js";
import { NegotiatedGates } from "./negotiated-gates.js";
import { keepSmall, RecentMap, RecentSet } from "./memory.js";
import { at, isOn, list, textOf } from "./select.js";
import { beginningOf, NesSession, ObservedSession } from "./sessions.js";
import type { Call } from "./call.js";
import type { TranscriptStep } from "./step.js";
import type { Side, TranscriptEntry } from "./transcript.js";

const CREATING = ["session/new", "session/fork"];
const LOADING = ["session/load", "session/resume"];

/** The methods that initialize an agent and a proxy. */
export const INITIALIZING: readonly string[] = ["initialize", "proxy/initialize"];

/** The maximum number of remembered unanswered requests of a side, sessions and elicitations. */
const MAX_REMEMBERED = 1000;
/** The maximum number of remembered ids of answered requests of a side. */
const MAX_ANSWERED = 100_000;
/** The maximum number of remembered items of all sessions. */
const MAX_ITEMS = 100_000;

/**
 * The state of a conversation after the messages so far.
 *
 * Memory is bounded, so that conversations may be unlimited: the least recently used facts are
 * dropped first, and rules that depend on them report no violations from then on.
 */
export class Conversation {
  readonly version: 1 | 2;
  /** Whether the agent has accepted an `initialize`. */
  initialized = false;
  /** Method, params and result of the last accepted `initialize`. */
  handshake: { readonly method?: string; readonly client: unknown; readonly agent: unknown } = {
    client: {},
    agent: {},
  };
  /** The protocol version in the answer of a proxy's successor. */
  successorVersion: unknown;
  /** Requests other than `initialize` that the client has sent. */
  clientRequests = 0;
  /** Unanswered requests by sender and id. */
  readonly pending: { readonly [sender in Side]: RecentMap<string, Call> } = {
    agent: new RecentMap(MAX_REMEMBERED),
    client: new RecentMap(MAX_REMEMBERED),
  };
  /** Ids of answered requests. */
  readonly answered: { readonly [sender in Side]: RecentSet<string> } = {
    agent: new RecentSet(MAX_ANSWERED),
    client: new RecentSet(MAX_ANSWERED),
  };
  readonly sessions: RecentMap<string, ObservedSession> = new RecentMap(MAX_REMEMBERED);
  readonly nesSessions: RecentMap<string, NesSession> = new RecentMap(MAX_REMEMBERED);
  /** Elicitations in URL mode by id, and whether they were completed. */
  readonly elicitations: RecentMap<unknown, boolean> = new RecentMap(MAX_REMEMBERED);
  /** The number of messages so far that belong to a session. */
  #steps = 0;

  /** Absent without a table of methods. */
  readonly gates: NegotiatedGates | undefined;

  constructor(version: 1 | 2, methods?: readonly MethodDescriptor[]) {
    this.version = version;
    this.gates = methods && new NegotiatedGates(methods);
  }

  /** Returns a capability from the initialize message of a side. */
  capability(side: Side, ...path: readonly string[]): unknown {
    const name = this.version === 2 ? "capabilities" : `${side}Capabilities`;
    return at(this.handshake[side], name, ...path);
  }

  /** Returns the unanswered requests of both sides. */
  unanswered(): readonly Call[] {
    return [...this.pending.agent.values(), ...this.pending.client.values()];
  }

  /** Whether a response that may contain the id of a new session is pending. */
  get isCreating(): boolean {
    return this.isAsking(CREATING);
  }

  /** Returns whether the client is waiting for a response to one of these methods. */
  isAsking(methods: readonly string[]): boolean {
    return [...this.pending.client.values()].some(({ method }) => methods.includes(method));
  }

  step({ from, message }: TranscriptEntry, line: number): TranscriptStep {
    const incoming = classify(message, true);
    const { kind } = incoming;
    const isSent = kind === "request" || kind === "notification";
    const id = at(message, "id");
    const requests = this.pending[from === "agent" ? "client" : "agent"];
    const call = kind === "response" ? requests.get(key(id)) : undefined;
    const params = isSent ? at(message, "params") : call?.params;
    const sessionId = at(params, "sessionId");
    const update = isSent ? at(params, "update", "sessionUpdate") : undefined;
    const result = at(message, "result");
    return {
      line,
      from,
      message,
      incoming,
      kind: isSent ? kind : kind !== "response" ? "other" : hasResult(message) ? "result" : "error",
      id,
      method: isSent ? textOf(at(message, "method")) : (call?.method ?? ""),
      params,
      result,
      call,
      sessionId: typeof sessionId === "string" ? sessionId : undefined,
      session: typeof sessionId === "string" ? this.sessions.get(sessionId) : undefined,
      update: typeof update === "string" ? update : "",
    };
  }

  /** Updates the state with a step. */
  apply(step: TranscriptStep): void {
    if (step.kind === "request") this.#request(step);
    if (step.kind === "notification") this.#notification(step);
    if (step.kind === "result" || step.kind === "error") this.#response(step);
    if (step.session !== undefined) this.#markUsed(step.session);
    this.gates?.learn(step);
  }

  #request(step: TranscriptStep): void {
    const { id, from, method, line, sessionId } = step;
    const params = keepSmall(step.params);
    const isLost = sessionId !== undefined && (step.session?.phase ?? "ended") === "ended";
    const isInvalidOption =
      method === "session/set_config_option" &&
      findInvalidOption(step.session?.options, step.params) !== undefined;
    const isCancelled = from === "agent" && step.session?.isTurnCancelled === true;
    const flags = { isWithdrawn: false, isClosed: false, isInserted: false, isEchoed: false };
    const call: Call = {
      ...{ id, from, method, params, line, isLost, isInvalidOption, isCancelled, ...flags },
      ...(method === "session/prompt" && { text: beginningOf(at(step.params, "prompt")) }),
    };
    this.pending[from].set(key(id), call);
    if (from === "client" && !INITIALIZING.includes(method)) this.clientRequests += 1;
    if (sessionId === undefined) return this.#elicitation(step);
    if (from === "client" && LOADING.includes(method)) this.#session(sessionId, "loading");
    if (from === "client" && method === "session/close")
      for (const other of this.unanswered())
        if (at(other.params, "sessionId") === sessionId) other.isClosed = true;
    const session = this.#mentioned(step);
    if (session !== undefined) session.request(call);
    this.#elicitation(step);
  }

  #notification(step: TranscriptStep): void {
    const { from, method, params, update } = step;
    if (method === "$/cancel_request") {
      const call = this.pending[from].get(key(at(params, "requestId")));
      if (call !== undefined) call.isWithdrawn = true;
    }
    if (method === "session/cancel" && from === "client") {
      step.session?.cancel();
      // In version 2 nothing is cancelled but foreground work.
      const isWorking = this.version === 1 || step.session?.isCancelling === true;
      for (const call of this.unanswered())
        if (at(call.params, "sessionId") === step.sessionId) call.isCancelled ||= isWorking;
    }
    if (method === "session/update")
      this.#mentioned(step)?.update(update, at(params, "update"), step.line);
    const child = at(params, "update", "sessionId");
    if (update === "subagent_update" && typeof child === "string")
      this.#session(child, "active").isCancelGranted = isOn(
        at(step.session?.item("subagent", child), "capabilities", "cancel"),
      );
    const elicitation = at(params, "elicitationId");
    if (method === "elicitation/complete" && this.elicitations.has(elicitation))
      this.elicitations.set(elicitation, true);
  }

  #response(step: TranscriptStep): void {
    const { call, id, sessionId, result, line } = step;
    if (call === undefined) return;
    this.pending[call.from].delete(key(id));
    this.answered[call.from].add(key(id));
    const isResult = step.kind === "result";
    step.session?.response(call, isResult ? result : undefined, line);
    const { method } = call;
    if (!isResult) {
      if (method === "session/close" && isNotFound(step.message)) step.session?.end();
      // A session that failed to open is unknown again.
      if (LOADING.includes(method) && step.session?.phase === "loading")
        this.sessions.delete(step.session.id);
      return;
    }
    if (INITIALIZING.includes(method)) {
      this.initialized = true;
      this.handshake = { method, client: call.params, agent: result };
      this.gates?.initialize(call.params, result);
    }
    if (method === "proxy/successor" && INITIALIZING.includes(textOf(at(call.params, "method"))))
      this.successorVersion = at(result, "protocolVersion");
    const newId = at(result, "sessionId");
    if (CREATING.includes(method) && typeof newId === "string")
      this.#session(newId, "active").open(method, result);
    if (LOADING.includes(method) && sessionId !== undefined)
      this.#session(sessionId, "active").open(method, result);
    if (method === "nes/start" && typeof newId === "string")
      this.nesSessions.set(newId, new NesSession());
    const nes = this.nesSessions.get(sessionId ?? "");
    if (method === "nes/close") nes?.end();
    if (method === "nes/suggest") nes?.offer(list(at(result, "suggestions")));
  }

  /**
   * Returns the session of a message. An unknown session in a message of the agent is created
   * while a response with its id is pending.
   */
  #mentioned({ from, sessionId, line }: TranscriptStep): ObservedSession | undefined {
    if (sessionId === undefined) return undefined;
    const known = this.sessions.get(sessionId);
    if (known !== undefined || from === "client" || !this.isCreating) return known;
    const session = this.#session(sessionId, "early");
    session.early.push(line);
    return session;
  }

  #session(id: string, phase: ObservedSession["phase"]): ObservedSession {
    let session = this.sessions.get(id);
    if (session === undefined)
      this.sessions.set(id, (session = new ObservedSession(id, phase, this.version)));
    if (phase === "active" || session.phase === "ended") session.phase = phase;
    return session;
  }

  /** Marks a session as recently used, and regularly checks whether others must be dropped. */
  #markUsed(session: ObservedSession): void {
    if (this.sessions.get(session.id) === session) this.sessions.set(session.id, session);
    this.#steps += 1;
    if (this.#steps % 10_000 !== 0) return;
    const items = [...this.sessions.values()].reduce((sum, { size }) => sum + size, 0);
    if (items > MAX_ITEMS) this.sessions.forgetHalf();
  }

  #elicitation({ method, params }: TranscriptStep): void {
    const id = at(params, "elicitationId");
    if (method === "elicitation/create" && typeof id === "string") this.elicitations.set(id, false);
  }
}

/** Returns an id as a key, in which `1` and `"1"` differ; empty for a value that cannot be an id. */
export function key(id: unknown): string {
  return Object(id) === id ? "" : (JSON.stringify(id) ?? "");
}

/** Returns whether an error means that a session does not exist, which closes it for the client. */
function isNotFound(message: unknown): boolean {
  return at(message, "error", "code") === ErrorCodes.ResourceNotFound;
}

function hasResult(message: unknown): boolean {
  return at(message, "error") === undefined;
}
