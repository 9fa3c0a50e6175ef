import { optionId } from "../conformance/config.js";
import { at, list } from "../conformance/select.js";
import { findMethod, hasAnyTrait, hasTrait, REOPENING } from "../find-method.js";
import type { MethodDescriptor } from "../methods.js";
import { AcpError } from "../acp-error.js";
import { ConnectionClosedError } from "../rpc/errors.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import { isRecord } from "../rpc/messages.js";
import { startTimer } from "../rpc/timer.js";
import { requireArgument } from "../rpc/require-argument.js";
import { bindPeer } from "../session/bound-peer.js";
import type { ConnectionSessions, CreateSessions, SessionLink } from "../session/link.js";
import { QUIET_TIME, restAfter, type Rest } from "../session/rest.js";
import type { StateTable } from "../session/state-table.js";
import { SessionStateV1 } from "../session/v1.js";
import { SessionStateV2 } from "../session/v2.js";
import { findWrongOption } from "../role/outgoing-rules.js";
import type { Issue } from "../validate/decode-result.js";
import { InvalidValueError } from "../validate/encode.js";
import { render } from "../validate/report-text.js";
import { continueSession, type ContinueOptions, type Openings } from "./continue-session.js";
import { listSessions } from "./list-sessions.js";
import { OpenedSession, type LiveState, type SessionActions } from "./client-session.js";
import * as sentences from "../sentences.js";
import { TurnV1, TurnV2, type BaseTurn, type PromptOptions, type TurnEnded } from "./turn.js";

/** The maximum number of unknown sessions whose updates are kept while a session is opened. */
const MAX_EARLY = 100;

interface Version {
  /** Adds the params that may be omitted. */
  readonly complete: (params: object) => object;
  /** Returns the method that opens a session with a replay of its messages, and its params. */
  readonly replay: (link: SessionLink, params: object) => readonly [method: string, params: object];
  readonly createState: () => LiveState;
  /**
   * Prepares the session's state for a prompt, and creates its turn.
   *
   * @param ended called when the turn has ended
   */
  readonly createTurn: (
    link: SessionLink,
    id: string,
    state: LiveState,
    prompt: readonly object[],
    ended: TurnEnded,
  ) => BaseTurn;
}

/** Creates the sessions of a client of version 1. */
export const clientSessionsV1 =
  (table: StateTable): CreateSessions =>
  (link) =>
    new ClientSessions(link, {
      complete: (params) => ({
        ...params,
        mcpServers: (params as { readonly mcpServers?: unknown }).mcpServers ?? [],
      }),
      replay: ({ names }, params) => [names.load, params],
      createState: () => new SessionStateV1(table),
      createTurn: (link, id, given, prompt, ended) => {
        const state = given as SessionStateV1;
        const message = state.addUserMessage(prompt as never);
        return new TurnV1(link, id, (turn, wasRefused) => {
          const isRemoved = wasRefused && state.removeUserMessage(message);
          if (!isRemoved) state.endTurn(message);
          ended(turn, wasRefused);
        });
      },
    });

/** Creates the sessions of a client of version 2, whose agents report the user's messages. */
export const clientSessionsV2 =
  (table: StateTable): CreateSessions =>
  (link) =>
    new ClientSessions(link, {
      complete: (params) => params,
      replay: ({ names }, params) => [names.resume, { ...params, replayFrom: { type: "start" } }],
      createState: () => new SessionStateV2(table),
      createTurn: (link, id, _state, _prompt, ended) => new TurnV2(link, id, ended),
    });

/** An update, which may report the state of its session. */
interface StateUpdate {
  readonly sessionUpdate: string;
  readonly stopReason?: unknown;
}

/** The histories of a session that are received. */
class Replays {
  /** The calls that have requested one, and the histories whose end was not received. */
  calls = 0;
  left = 0;
  #state: StateUpdate | undefined;

  begin(): this {
    this.calls++;
    this.left++;
    return this;
  }

  /** Takes an update that is part of a history, and of no turn; its end is as well. */
  take(update: StateUpdate): void {
    if (update.sessionUpdate === "replay_complete") this.left--;
    else if (update.sessionUpdate === "state_update") this.#state = update;
  }

  /** Ends a history that has failed. Returns the state that was received meanwhile. */
  fail(): StateUpdate | undefined {
    this.left = Math.max(0, this.left - 1);
    return this.#state;
  }
}

/** An open session. */
interface SessionEntry {
  readonly state: LiveState;
  readonly handle: OpenedSession;
}

/** The sessions of one connection of a client. */
class ClientSessions implements ConnectionSessions, SessionActions {
  readonly #link: SessionLink;
  readonly #version: Version;
  readonly #entries = new Map<string, SessionEntry>();
  /** The running turns by session: a session that is opened again keeps its turns. */
  readonly #turns = new Map<string, Set<BaseTurn>>();
  /** The states of sessions with updates that arrived before the answer with their id. */
  readonly #early = new Map<string, LiveState>();
  /** The number of calls that open a session whose id is not known yet. */
  #opening = 0;
  /** The sessions whose history is received (version 2). */
  readonly #replaying = new Map<string, Replays>();
  /** The lists of sessions that are opened again, as they were when that was asked for. */
  readonly #reopening = new Map<string, readonly unknown[]>();
  readonly #rests = new Map<string, Rest>();
  /** The sessions that are being closed. */
  readonly #closing = new Set<string>();
  #isConnected = true;

  constructor(link: SessionLink, version: Version) {
    this.#link = link;
    this.#version = version;
    void link.closed.then(() => {
      this.#isConnected = false;
      for (const turns of this.#turns.values())
        for (const turn of turns) turn.fail(this.#disconnected());
    });
  }

  readonly members = {
    newSession: async (params: object, options?: object) => {
      requireArgument("newSession", params, "an object", `newSession({ cwd: "/project" })`);
      return this.#create(this.#version.complete(params), options);
    },
    loadSession: async (params: object, options?: object) => {
      requireArgument("loadSession", params, "an object", "loadSession({ sessionId, cwd })");
      return this.#reopen(this.#link.names.load, this.#version.complete(params), options);
    },
    resumeSession: async (params: object, options?: object) => {
      requireArgument("resumeSession", params, "an object", "resumeSession({ sessionId, cwd })");
      return this.#reopen(this.#link.names.resume, params, options);
    },
    continueSession: async (params: object, options?: ContinueOptions) => {
      requireArgument(
        "continueSession",
        params,
        "an object",
        "continueSession({ sessionId, cwd })",
      );
      const complete = this.#version.complete(params);
      const reopen: Openings["load"] = (given, more) =>
        this.#reopen(...this.#version.replay(this.#link, given), more);
      const { newSession, resumeSession } = this.members;
      return continueSession(
        { new: newSession, resume: resumeSession, load: reopen },
        complete,
        options,
      );
    },
    listSessions: (params?: object, options?: CallOptions) =>
      listSessions(this.#link, params, options),
    session: (id: string): OpenedSession => {
      requireArgument("session", id, "a string", "session(sessionId)");
      return this.#entries.get(id)?.handle ?? this.#open(id, this.#takeEarly(id));
    },
  };

  /** Returns the session with an id; one that is not known begins when it is used. */
  of(id: string): OpenedSession {
    return this.#entries.get(id)?.handle ?? new OpenedSession(this, id);
  }

  received(method: MethodDescriptor, params: unknown): undefined {
    if (!hasTrait(method, "updates-session")) return this.#receivedOther(method.name, params);
    if (this.#entries.size === 0 && this.#opening === 0 && this.#turns.size === 0) return;
    const { sessionId, update } = params as { readonly sessionId: string; readonly update: never };
    const state = this.#entries.get(sessionId)?.state ?? this.#earlyState(sessionId);
    state?.apply(update);
    const { sessionUpdate, sessionId: child } = update as StateUpdate & { sessionId: string };
    if (sessionUpdate === "subagent_update" && state !== undefined && !this.#entries.has(child))
      this.#open(child, this.#takeEarly(child));
    const replays = this.#replaying.get(sessionId);
    const isHistory = replays !== undefined && replays.left > 0;
    for (const turn of this.#turns.get(sessionId) ?? []) turn.receive(update, isHistory);
    if (isHistory) replays.take(update);
    else this.#stateChanged(sessionId, update);
  }

  #stateChanged(sessionId: string, update: StateUpdate): void {
    const before = this.#rests.get(sessionId);
    const isState = update.sessionUpdate === "state_update";
    if (!isState && before === undefined) return;
    const rest = restAfter(before, update);
    if (rest === undefined) this.#rests.delete(sessionId);
    else if (this.#entries.has(sessionId)) this.#rests.set(sessionId, rest);
    if (!isState) return;
    const turns = [...(this.#turns.get(sessionId) ?? [])];
    // The end of cancelled work precedes new work.
    const stopped = turns.filter((turn) => turn.isStopped).map(({ messageId }) => messageId);
    const others = update.stopReason === "cancelled" ? stopped : [];
    const deliver = (turn: BaseTurn): void =>
      turn.stateChanged(update, turn.isStopped ? [] : others);
    const isRepeated = rest !== undefined && rest === before;
    for (const turn of turns)
      if (!isRepeated || turn.mayEndWithoutWork) deliver(turn);
      else
        startTimer(QUIET_TIME, () => {
          const isOpen = this.#turns.get(sessionId)?.has(turn) === true;
          if (isOpen && this.#rests.get(sessionId) === rest) deliver(turn);
        });
  }

  /** Folds what a request of the agent says, such as the tool call that needs permission. */
  #receivedOther(method: string, params: unknown): undefined {
    const id = isRecord(params) && params["sessionId"];
    if (typeof id === "string") this.#entries.get(id)?.state.applyMessage(method, "params", params);
  }

  findIssue(method: MethodDescriptor, params: unknown): Issue | undefined {
    if (!hasTrait(method, "sets-config-option") || !isRecord(params)) return undefined;
    const state = this.#entries.get(String(params["sessionId"]))?.state;
    return findWrongOption(
      params,
      (state as SessionStateV1 | undefined)?.config?.["configOptions"],
    );
  }

  cancelled(params: unknown): void {
    const id = isRecord(params) ? params["sessionId"] : undefined;
    for (const turn of this.#turns.get(String(id)) ?? []) turn.sessionCancelled();
  }

  answered(method: MethodDescriptor, params: unknown, result: unknown): void {
    if (!isRecord(params)) return;
    const id = String(params["sessionId"]);
    if (hasTrait(method, "ends-session")) return this.forget(id);
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.state.applyMessage(method.name, "params", params);
    if (hasTrait(method, "forks-session")) this.#openFork(method.name, result);
    else entry.state.applyMessage(method.name, "result", result, this.#reopening.get(id));
  }

  find(id: string): LiveState | undefined {
    return this.#entries.get(id)?.state ?? this.#early.get(id);
  }

  begin(session: OpenedSession): LiveState {
    const state = this.#takeEarly(session.id);
    this.#entries.set(session.id, { state, handle: session });
    return state;
  }

  bind(session: OpenedSession): object {
    const { id } = session;
    return bindPeer(
      this.#link,
      id,
      () => ({}),
      (method, params, options) => {
        if (hasAnyTrait(method, REOPENING))
          return this.#reopen(method.name, params, options).then(({ response }) => response);
        const isAllowed = session.isOpen || hasTrait(method, "accepts-closed-session");
        if (!isAllowed) return Promise.reject(closedError(id, method.name));
        return hasTrait(method, "ends-session")
          ? this.#closeBy(id, method.name, params, options)
          : undefined;
      },
    );
  }

  prompt(session: OpenedSession, prompt: readonly object[], options: PromptOptions): BaseTurn {
    const { id } = session;
    const state = session.isOpen && !this.#closing.has(id) ? this.find(id) : undefined;
    if (!this.#isConnected) return this.#failedTurn(id, this.#disconnected());
    if (state === undefined) return this.#failedTurn(id, closedError(id, this.#link.names.prompt));
    const turns = this.#turns.get(id) ?? new Set();
    const turn = this.#version.createTurn(this.#link, id, state, prompt, (ended) => {
      turns.delete(ended);
      if (turns.size === 0) this.#turns.delete(id);
    });
    this.#turns.set(id, turns.add(turn));
    turn.start(prompt, options);
    return turn;
  }

  async cancel(session: OpenedSession): Promise<void> {
    const { peer, names } = this.#link;
    if (session.isOpen) await peer.notify(names.cancel, { sessionId: session.id });
  }

  async #create(params: object, options?: object): Promise<OpenedSession> {
    this.#opening++;
    let session: OpenedSession | undefined;
    // The session is known before the next message is processed.
    const onResult = (response: unknown): void => {
      const { sessionId } = response as { readonly sessionId: string };
      const state = this.#takeEarly(sessionId);
      state.applyMessage(this.#link.names.create, "result", response, []);
      session = this.#open(sessionId, state, response);
    };
    try {
      const { peer, names } = this.#link;
      await peer.request(names.create, params, { ...options, onResult });
    } finally {
      if (--this.#opening === 0) this.#early.clear();
    }
    return session!;
  }

  /** Opens a session whose updates may precede the answer; a replay begins with an empty state. */
  async #reopen(method: string, params: object, options?: CallOptions): Promise<OpenedSession> {
    const id = String((params as { readonly sessionId?: unknown }).sessionId);
    const before = this.#entries.get(id);
    const { replayFrom } = params as { readonly replayFrom?: unknown };
    // Without a replay, the state continues.
    const replays = (replayFrom ?? null) !== null;
    const continues = method === this.#link.names.resume && !replays;
    const state = (continues ? before?.state : undefined) ?? this.#version.createState();
    const during = this.#open(id, state);
    const histories = this.#replaying.get(id) ?? new Replays();
    if (replays) this.#replaying.set(id, histories.begin());
    this.#reopening.set(id, state.listsOf(method));
    let hasFailed = false;
    // What follows the error belongs to no history.
    const onRefused = (): void => {
      if (hasFailed) return;
      hasFailed = true;
      if (this.#entries.get(id)?.handle === during) {
        if (before !== undefined) this.#entries.set(id, before);
        else this.#entries.delete(id);
      }
      // The state may have been that of a turn, and nothing repeats it.
      const state = replays && histories.fail();
      if (state) this.#stateChanged(id, state);
    };
    try {
      const response = await this.#link.peer.request(method, params, { ...options, onRefused });
      return this.#open(id, state, response);
    } catch (error) {
      onRefused();
      throw error;
    } finally {
      if (replays && --histories.calls === 0) this.#replaying.delete(id);
      this.#reopening.delete(id);
    }
  }

  /** Begins the state of a fork, which the answer names. */
  #openFork(method: string, result: unknown): void {
    const id = isRecord(result) ? result["sessionId"] : undefined;
    if (typeof id !== "string" || this.#entries.has(id)) return;
    this.#open(id, this.#takeEarly(id)).state.applyMessage(method, "result", result, []);
  }

  /** Closes a session, which takes no prompts from now on. */
  async #closeBy(
    id: string,
    method: string,
    params: object,
    options?: CallOptions,
  ): Promise<unknown> {
    this.#closing.add(id);
    try {
      return await this.#link.peer.request(method, params, options);
    } finally {
      this.#closing.delete(id);
    }
  }

  async setOption(
    sessionId: string,
    category: string,
    value: unknown,
    options?: CallOptions,
  ): Promise<void> {
    const { methods, peer } = this.#link;
    const method = findMethod(methods, "sets-config-option");
    const state = this.#entries.get(sessionId)?.state as SessionStateV1 | undefined;
    const all = list(state?.config?.["configOptions"]);
    const found = all.filter((option) => at(option, "category") === category);
    const [option] = found;
    const configId = optionId(option);
    const wrong =
      found.length === 1
        ? findWrongOption({ configId, value }, all)
        : {
            pointer: "/configId",
            rule: "offered",
            expected: sentences.oneOfCategory(render(category)),
            found: `${found.length}`,
          };
    if (method === undefined || wrong !== undefined)
      throw new InvalidValueError(method?.params ?? "", wrong ? [wrong] : [], method?.name);
    const type =
      typeof value === "boolean"
        ? { type: "boolean" }
        : at(option, "configId") !== undefined && { type: "id" };
    await peer.request(method.name, { sessionId, configId, value, ...type }, options);
  }

  pathOf(id: string): readonly string[] {
    return [...this.#link.tree.path(id, true)].reverse();
  }

  forget(id: string): void {
    const subagents = subagentsOf(this.#entries.get(id)?.state);
    this.#entries.delete(id);
    this.#rests.delete(id);
    for (const child of subagents) this.forget(child);
    for (const turn of this.#turns.get(id) ?? []) turn.sessionClosed();
  }

  #open(id: string, state: LiveState, response?: unknown): OpenedSession {
    const handle = new OpenedSession(this, id, state, response);
    this.#entries.set(id, { state, handle });
    return handle;
  }

  /** Returns the state of the updates that preceded the id of a session. */
  #takeEarly(id: string): LiveState {
    const state = this.#early.get(id) ?? this.#version.createState();
    this.#early.delete(id);
    return state;
  }

  #earlyState(id: string): LiveState | undefined {
    if (this.#opening === 0) return undefined;
    let state = this.#early.get(id);
    if (state === undefined && this.#early.size < MAX_EARLY)
      this.#early.set(id, (state = this.#version.createState()));
    return state;
  }

  #failedTurn(id: string, error: Error): BaseTurn {
    const turn = new TurnV1(this.#link, id, () => {});
    turn.fail(error);
    return turn;
  }

  #disconnected(): ConnectionClosedError {
    return new ConnectionClosedError(this.#link.endReason, this.#link.names.prompt);
  }
}

/** Returns the ids of the subagents that a session has announced. */
function subagentsOf(state: LiveState | undefined): readonly string[] {
  const { subagents } = (state ?? {}) as { readonly subagents?: ReadonlyMap<string, unknown> };
  return [...(subagents?.keys() ?? [])];
}

function closedError(id: string, method: string): AcpError {
  const text = sentences.inClosedSession(
    method,
    JSON.stringify(id.slice(0, 100)),
    "resumeSession or loadSession of the connection",
  );
  return new AcpError(text, method);
}
