import { LIMITS, BoundedMap, sizeOf } from "../limits.js";
import type { Relay } from "../relay.js";
import { MessageIds } from "../state/message-ids.js";
import { Questions } from "../state/questions.js";

/** A prompt of a client of version 2, which is confirmed as soon as the agent works on it. */
export interface UnconfirmedPrompt {
  readonly confirm: () => void;
  isConfirmed: boolean;
  /** Whether its session was closed before the agent has answered it. */
  isEnded: boolean;
  isCancelled: boolean;
}

/** What a list of sessions says about one of them, as far as it is known. */
export interface SessionInfo {
  /** Undefined until the client has opened the session. */
  readonly cwd?: unknown;
  readonly title?: unknown;
  readonly updatedAt?: unknown;
}

/** A session, as an agent of version 1 has it. */
export class SessionForV2 {
  readonly id: string;
  readonly ids: MessageIds;
  readonly questions: Questions;
  readonly prompts: Set<UnconfirmedPrompt> = new Set();
  /** The configuration options in version 2, without that of the modes. */
  options: readonly unknown[] = [];
  /** The option that stands for the modes. */
  mode: Readonly<Record<string, unknown>> | undefined;
  info: SessionInfo = {};
  /** What is kept of the three, in UTF-16 units. */
  readonly sizes = { options: 0, mode: 0, info: 0 };
  /** The end of work that is not reported, because another prompt was waiting. */
  end: Readonly<Record<string, unknown>> | undefined;
  /** Whether the agent replays the session although the client has not asked for it. */
  isReplayLeftOut = false;
  /** Called at the end of the work that keeps the session from being closed; undefined otherwise. */
  onQuiet: (() => void) | undefined;

  /** @param prefix begins the ids of its messages */
  constructor(id: string, prefix: string, relay: Relay) {
    this.id = id;
    this.ids = new MessageIds(prefix);
    this.questions = new Questions(relay);
  }

  /** Counts its prompts as cancelled, and answers the questions that wait for the client. */
  cancel(): void {
    for (const prompt of this.prompts) prompt.isCancelled = true;
    this.questions.cancel(this.prompts.size > 0);
  }

  /** Forgets a prompt that the agent has answered. */
  drop(prompt: UnconfirmedPrompt): void {
    this.prompts.delete(prompt);
    if (![...this.prompts].some(({ isCancelled }) => isCancelled)) this.questions.workEnded();
  }
}

/** The sessions of a client of version 2. */
export class ClientV2Sessions {
  readonly #relay: Relay;
  readonly #sessions = new BoundedMap<string, SessionForV2>(
    LIMITS.sessions,
    LIMITS.size,
    ({ prompts }) => prompts.size > 0,
  );
  /** The ids of the sessions that are closed for the client, but open for the agent. */
  readonly #closed = new BoundedMap<string, true>(LIMITS.sessions, LIMITS.size);

  /** How many sessions were not known, which makes prefixes of the same time differ. */
  #count = 0;

  constructor(relay: Relay) {
    this.#relay = relay;
  }

  /**
   * Returns a session, which is new when it is not known. It may have had messages before, so their
   * ids are not made again.
   */
  get(id: string): SessionForV2 {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    return this.#add(id, `message-${Date.now().toString(36)}-${++this.#count}`);
  }

  /** Returns a session that begins. */
  begin(id: string): SessionForV2 {
    return this.#sessions.get(id) ?? this.#add(id, "message");
  }

  #add(id: string, prefix: string): SessionForV2 {
    const session = new SessionForV2(id, prefix, this.#relay);
    this.#sessions.set(id, session);
    this.#resize(session);
    return session;
  }

  /** Remembers the options of a session; none when the value is not a list. */
  setOptions(session: SessionForV2, options: unknown): void {
    session.options = Array.isArray(options) ? options : [];
    session.sizes.options = sizeOf(session.options);
    this.#resize(session);
  }

  /** Remembers the option that stands for the modes of a session. */
  setMode(session: SessionForV2, mode: SessionForV2["mode"]): void {
    session.mode = mode;
    session.sizes.mode = sizeOf(mode);
    this.#resize(session);
  }

  /** Changes what a list says about a session. What is absent stays; null removes it. */
  changeInfo(session: SessionForV2, change: SessionInfo): void {
    const { info } = session;
    const { cwd = info.cwd, title = info.title, updatedAt = info.updatedAt } = change;
    session.info = {
      ...(typeof cwd === "string" && { cwd }),
      ...(typeof title === "string" && { title }),
      ...(typeof updatedAt === "string" && { updatedAt }),
    };
    session.sizes.info = sizeOf(session.info);
    this.#resize(session);
  }

  #resize({ id, sizes }: SessionForV2): void {
    this.#sessions.resize(id, id.length + sizes.options + sizes.mode + sizes.info);
  }

  /** Returns the sessions that the client has opened, as version 2 lists them. */
  list(): readonly (SessionInfo & { readonly sessionId: string })[] {
    return [...this.#sessions.values()].flatMap(({ id, info }) =>
      info.cwd === undefined ? [] : { sessionId: id, ...info },
    );
  }

  delete(id: string): void {
    this.#sessions.delete(id);
  }

  /** Closes a session for the client only. */
  close(id: string): void {
    this.delete(id);
    this.#closed.set(id, true);
    this.#closed.resize(id, id.length);
  }

  /** Opens a session again. Returns whether it was closed for the client only. */
  reopen(id: string): boolean {
    const isClosed = this.isClosed(id);
    this.#closed.delete(id);
    return isClosed;
  }

  /** Returns whether a session is closed for the client only. */
  isClosed(id: string): boolean {
    return this.#closed.get(id) !== undefined;
  }
}

/** Returns the options of a session, with that of the modes. */
export function allOptions({ mode, options }: SessionForV2): readonly unknown[] {
  return mode === undefined ? options : [mode, ...options];
}
