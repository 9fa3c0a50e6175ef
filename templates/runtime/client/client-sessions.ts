import { isRecord } from "../rpc/messages.js";
import { ConnectionClosedError } from "../rpc/errors.js";
import type { ConnectionSessions, CreateSessions, SessionLink } from "../session/link.js";
import { SessionStateV1 } from "../session/v1.js";
import { SessionStateV2 } from "../session/v2.js";
import { OpenedSession, type SessionEntry, type StartTurn } from "./client-session.js";
import { TurnV1, TurnV2, type BaseTurn } from "./turn.js";

/** The maximum number of unknown sessions whose updates are kept while a session is opened. */
const MAX_EARLY = 100;

const CLOSING_METHODS = new Set(["session/close", "session/delete"]);

interface Version {
  /** Adds the params that may be omitted. */
  readonly complete: (params: object) => object;
  readonly createEntry: () => SessionEntry;
  readonly createTurn: (
    link: SessionLink,
    id: string,
    entry: SessionEntry,
    prompt: readonly object[],
    ended: (turn: BaseTurn) => void,
  ) => BaseTurn;
}

/** Creates the sessions of a client of version 1. */
export const clientSessionsV1: CreateSessions = (link) =>
  new ClientSessions(link, {
    complete: (params) => ({
      ...params,
      mcpServers: (params as { readonly mcpServers?: unknown }).mcpServers ?? [],
    }),
    createEntry: () => ({ state: new SessionStateV1(), turns: new Set() }),
    createTurn: (link, id, entry, prompt, ended) => {
      const state = entry.state as SessionStateV1;
      state.addUserMessage(prompt as never);
      return new TurnV1(link, id, (turn) => {
        state.endTurn();
        ended(turn);
      });
    },
  });

/** Creates the sessions of a client of version 2, whose agents report the user's messages. */
export const clientSessionsV2: CreateSessions = (link) =>
  new ClientSessions(link, {
    complete: (params) => params,
    createEntry: () => ({ state: new SessionStateV2(), turns: new Set() }),
    createTurn: (link, id, _entry, _prompt, ended) => new TurnV2(link, id, ended),
  });

/** The sessions of one connection of a client. */
class ClientSessions implements ConnectionSessions {
  readonly #link: SessionLink;
  readonly #version: Version;
  readonly #entries = new Map<string, SessionEntry>();
  readonly #handles = new WeakMap<SessionEntry, OpenedSession>();
  /** The sessions with updates that arrived before the answer with their id. */
  readonly #early = new Map<string, SessionEntry>();
  /** The number of calls that open a session whose id is not known yet. */
  #opening = 0;

  constructor(link: SessionLink, version: Version) {
    this.#link = link;
    this.#version = version;
    void link.closed.then(() => {
      for (const { turns } of this.#entries.values())
        for (const turn of turns) turn.fail(new ConnectionClosedError());
    });
  }

  readonly members = {
    newSession: (params: object, options?: object) =>
      this.#create(this.#version.complete(params), options),
    loadSession: (params: object, options?: object) =>
      this.#reopen("session/load", this.#version.complete(params), options),
    resumeSession: (params: object, options?: object) =>
      this.#reopen("session/resume", params, options),
    session: (id: string): OpenedSession => this.of(id) ?? this.#open(id, this.#adopt(id)),
  };

  of(id: string): OpenedSession | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#handles.get(entry);
  }

  received(method: string, params: unknown): undefined {
    if (method !== "session/update" || (this.#entries.size === 0 && this.#opening === 0)) return;
    const { sessionId, update } = params as { readonly sessionId: string; readonly update: never };
    const entry = this.#entries.get(sessionId) ?? this.#earlyEntry(sessionId);
    if (entry === undefined) return;
    entry.state.apply(update);
    for (const turn of entry.turns) turn.receive(update);
  }

  answered(method: string, params: unknown): void {
    if (CLOSING_METHODS.has(method) && isRecord(params))
      this.#entries.delete(String(params["sessionId"]));
  }

  async #create(params: object, options?: object): Promise<OpenedSession> {
    this.#opening++;
    let session: OpenedSession | undefined;
    // The session is known before the next message is processed.
    const onResult = (response: unknown): void => {
      const { sessionId } = response as { readonly sessionId: string };
      session = this.#open(sessionId, this.#adopt(sessionId), response);
    };
    try {
      await this.#link.peer.request("session/new", params, { ...options, onResult });
    } finally {
      if (--this.#opening === 0) this.#early.clear();
    }
    return session!;
  }

  /** Opens a session whose updates may precede the answer; a replay begins with an empty state. */
  async #reopen(method: string, params: object, options?: object): Promise<OpenedSession> {
    const id = String((params as { readonly sessionId?: unknown }).sessionId);
    const before = this.#entries.get(id);
    const { replayFrom } = params as { readonly replayFrom?: unknown };
    // Without a replay, the state continues.
    const continues = method === "session/resume" && (replayFrom ?? null) === null;
    const entry = (continues ? before : undefined) ?? this.#version.createEntry();
    this.#entries.set(id, entry);
    if (entry !== before) this.#open(id, entry);
    try {
      const response = await this.#link.peer.request(method, params, options);
      return this.#open(id, entry, response);
    } catch (error) {
      if (before !== undefined) this.#entries.set(id, before);
      else this.#entries.delete(id);
      throw error;
    }
  }

  #open(id: string, entry: SessionEntry, response?: unknown): OpenedSession {
    const startTurn: StartTurn = (entry, prompt) => {
      const turn = this.#version.createTurn(this.#link, id, entry, prompt, (ended) =>
        entry.turns.delete(ended),
      );
      entry.turns.add(turn);
      return turn;
    };
    const session = new OpenedSession(this.#link, id, entry, startTurn, response);
    this.#handles.set(entry, session);
    return session;
  }

  #adopt(id: string): SessionEntry {
    const entry = this.#early.get(id) ?? this.#version.createEntry();
    this.#early.delete(id);
    this.#entries.set(id, entry);
    return entry;
  }

  #earlyEntry(id: string): SessionEntry | undefined {
    if (this.#opening === 0) return undefined;
    let entry = this.#early.get(id);
    if (entry === undefined && this.#early.size < MAX_EARLY)
      this.#early.set(id, (entry = this.#version.createEntry()));
    return entry;
  }
}
