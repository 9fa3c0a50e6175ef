import type { PromptMessages } from "../session/link.js";
import { AcpError, isInstance } from "../acp-error.js";
import { RpcError } from "../rpc/errors.js";
import { asReceived } from "../validate/received.js";
import {
  invalidCursor,
  StaleSessionError,
  type LoadedSession,
  type SessionBackend,
  type SessionKey,
  type SessionPage,
  type SessionQuery,
  type StoredSession,
} from "./session-backend.js";

/** The facts of a session that `session/list` returns. */
export interface SessionFacts {
  /** An absolute path. */
  readonly cwd: string;
  readonly title?: string | undefined;
}

/** Where and how a store keeps the states of sessions. */
export interface SessionStoreOptions<State> {
  /** Keeps the sessions, so that another process can open them. Without one, they are kept while they are open. */
  readonly backend?: SessionBackend | undefined;
  /**
   * The caller whose sessions these are; those of other principals do not exist for the store. Without
   * one, and with an empty one, all callers are the same.
   */
  readonly principal?: string | undefined;
  /** Writes a state for the backend; as JSON by default. */
  readonly encode?: ((state: State) => string) | undefined;
  /** Reads what `encode` has written. */
  readonly decode?: ((text: string) => State) | undefined;
  /** Returns the facts for `session/list`; by default, the state's properties `cwd` and `title`. */
  readonly describe?: ((state: State) => SessionFacts) | undefined;
}

/** An open session. One that is replaced in the store keeps its revision, so its turns cannot be saved. */
interface OpenSession<State> {
  state: State;
  /** The stored revision that the state is based on; undefined before it was saved. */
  revision: string | undefined;
  /** The ids of the messages of prompts, by their `idempotencyKey`. */
  readonly prompts: Map<string, string>;
  /** The number of turns that run. */
  turns: number;
  /** Closed sessions are kept while turns run, which must not be in the way of one that is opened again. */
  isClosed: boolean;
  isDeleted: boolean;
  /** Settles when the backend has done what the session has asked it for. */
  idle: Promise<unknown>;
}

/** The sessions of an agent, with the state that its author keeps for each. */
export class SessionStore<State>
  implements PromptMessages, Iterable<readonly [id: string, state: State]>
{
  readonly #sessions = new Map<string, OpenSession<State>>();
  readonly #options: SessionStoreOptions<State>;
  readonly #principal: string;

  /** @throws TypeError for a principal that is not a string */
  constructor(options: SessionStoreOptions<State> = {}) {
    const principal: unknown = options.principal ?? "";
    if (typeof principal !== "string")
      throw new TypeError("the principal of SessionStore is not a string");
    this.#options = options;
    this.#principal = principal;
  }

  /**
   * Opens a new session, which is stored when its first turn ends. The state takes the place of
   * the one that the id had before.
   *
   * @param id a new random id by default
   * @returns the id
   */
  create(state: State, id: string = crypto.randomUUID()): string {
    const session = this.#find(id);
    if (session !== undefined) session.state = state;
    else this.#sessions.set(id, openSession(state, undefined));
    return id;
  }

  /**
   * Returns the state of an open session.
   *
   * @throws RpcError "resource not found" (-32002) for an id that is not open, which a handler may
   *   pass on to the client
   */
  get(id: string): State {
    return this.#get(id).state;
  }

  /** Returns whether a session is open. */
  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /**
   * Opens a session for `session/load` and `session/resume`: as it is stored, or, when nobody has
   * changed it since, as it is in memory.
   *
   * @returns the state
   * @throws RpcError "resource not found" (-32002) when there is no such session
   */
  async open(id: string): Promise<State> {
    const { backend, decode = JSON.parse } = this.#options;
    if (backend === undefined) return this.get(id);
    const load = () => backend.load(this.#key(id));
    let known: OpenSession<State> | undefined;
    let loaded: LoadedSession | undefined;
    // A session that was opened meanwhile may have changed since it was loaded.
    do {
      known = this.#sessions.get(id);
      loaded = await (known === undefined ? load() : whenIdle(known, load));
    } while (this.#sessions.get(id) !== known);
    if (known !== undefined && known.revision === loaded?.revision) {
      known.isClosed = false;
      return known.state;
    }
    this.#sessions.delete(id);
    if (loaded === undefined) throw notFound(id);
    // It has what was received, perhaps with parts that only later versions know.
    const state = asReceived(decode(loaded.state) as State);
    this.#sessions.set(id, openSession(state, loaded));
    return state;
  }

  /**
   * Runs a turn with the state of an open session, and stores the session when it has ended: answer
   * the prompt after that, since the client may then open the session elsewhere. A turn that fails
   * is stored as well.
   *
   * @returns the result of the function
   * @throws RpcError "resource not found" (-32002) for an id that is not open; the function's error
   * @throws StaleSessionError when the session was changed elsewhere; it is then not open any longer
   */
  async turn<Result>(
    id: string,
    run: (state: State) => Result | Promise<Result>,
  ): Promise<Awaited<Result>> {
    const session = this.#get(id);
    session.turns++;
    try {
      const work = async () => run(session.state);
      const result = await work().catch(async (error: unknown) => {
        // The failure of the turn matters more than that of storing it.
        await this.#save(id, session).catch(() => {});
        throw error;
      });
      await this.#save(id, session);
      return result;
    } finally {
      session.turns--;
      if (session.isClosed) this.#drop(id, session);
    }
  }

  /**
   * Stores an open session, after a change outside of a turn.
   *
   * @throws as `turn` does
   */
  async save(id: string): Promise<void> {
    await this.#save(id, this.#get(id));
  }

  /**
   * Returns a page of `session/list`.
   *
   * @throws RpcError "invalid params" (-32602) for an invalid cursor
   */
  async list(query: SessionQuery = {}): Promise<SessionPage> {
    const { backend } = this.#options;
    if (backend !== undefined) return backend.list(this.#principal, query);
    // All open sessions are one page.
    if ((query.cursor ?? undefined) !== undefined) throw invalidCursor();
    const sessions = [...this].map(([sessionId, state]) => ({
      sessionId,
      ...this.#describe(state),
    }));
    return { sessions: sessions.filter(({ cwd }) => (query.cwd ?? cwd) === cwd) };
  }

  /** Closes a session, if it is open. It can be opened again when it was stored. */
  close(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    session.isClosed = true;
    this.#drop(id, session);
  }

  /** Deletes a session, if it exists. Turns of it that run are not stored. */
  async delete(id: string): Promise<void> {
    const { backend } = this.#options;
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (session !== undefined) session.isDeleted = true;
    const remove = async () => backend?.delete(this.#key(id));
    await (session === undefined ? remove() : whenIdle(session, remove));
  }

  findMessage(sessionId: string, key: string): string | undefined {
    return this.#find(sessionId)?.prompts.get(key);
  }

  /** Remembers the message of a prompt as long as its session, and stores it at the end of the turn. */
  keepMessage(sessionId: string, key: string, messageId: string): void {
    this.#find(sessionId)?.prompts.set(key, messageId);
  }

  /** Iterates the open sessions. */
  *[Symbol.iterator](): IterableIterator<[id: string, state: State]> {
    for (const [id, { state, isClosed }] of this.#sessions) if (!isClosed) yield [id, state];
  }

  #find(id: string): OpenSession<State> | undefined {
    const session = this.#sessions.get(id);
    return session?.isClosed ? undefined : session;
  }

  #get(id: string): OpenSession<State> {
    const session = this.#find(id);
    if (session === undefined) throw notFound(id);
    return session;
  }

  #drop(id: string, session: OpenSession<State>): void {
    if (session.turns === 0 && this.#sessions.get(id) === session) this.#sessions.delete(id);
  }

  #key(sessionId: string): SessionKey {
    return { principal: this.#principal, sessionId };
  }

  async #save(id: string, session: OpenSession<State>): Promise<void> {
    const { backend } = this.#options;
    if (backend === undefined) return;
    try {
      await whenIdle(session, async () => {
        if (session.isDeleted) return;
        const stored = this.#encode(session);
        session.revision = await backend.save(this.#key(id), stored, session.revision);
      });
    } catch (error) {
      const isStale = isInstance(error, StaleSessionError);
      if (isStale && this.#sessions.get(id) === session) this.#sessions.delete(id);
      throw error;
    }
  }

  #encode({ state, prompts }: OpenSession<State>): StoredSession {
    const { encode = JSON.stringify } = this.#options;
    const { cwd, title } = this.#describe(state);
    return {
      cwd,
      ...(title !== undefined && { title }),
      updatedAt: new Date().toISOString(),
      state: encode(state),
      ...(prompts.size > 0 && { prompts: Object.fromEntries(prompts) }),
    };
  }

  #describe(state: State): SessionFacts {
    const { cwd, title } = this.#options.describe?.(state) ?? ((state ?? {}) as SessionFacts);
    if (typeof cwd !== "string")
      throw new AcpError(
        "the state of a session has no cwd: give SessionStore a describe function",
      );
    return { cwd, ...(typeof title === "string" && { title }) };
  }
}

function openSession<State>(state: State, loaded: LoadedSession | undefined): OpenSession<State> {
  const prompts = new Map(Object.entries(loaded?.prompts ?? {}));
  const common = { turns: 0, isClosed: false, isDeleted: false, idle: Promise.resolve() };
  return { ...common, state, revision: loaded?.revision, prompts };
}

/** Calls the backend when earlier calls are done: each save needs the revision of the one before. */
function whenIdle<Result>(
  session: Pick<OpenSession<unknown>, "idle">,
  call: () => Promise<Result>,
): Promise<Result> {
  const done = session.idle.then(call, call);
  session.idle = done.catch(() => {});
  return done;
}

function notFound(sessionId: string): RpcError {
  return RpcError.resourceNotFound("Session not found", { sessionId });
}
