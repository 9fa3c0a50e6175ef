import type { RequestId } from "../../rpc/messages.js";
import { LIMITS, RecentMap, sizeOf } from "../limits.js";
import { MessageIds } from "../state/message-ids.js";

/** A prompt of a client of version 2, which is confirmed as soon as the agent works on it. */
export interface Prompt {
  readonly confirm: () => void;
  isConfirmed: boolean;
  /** Whether its session was closed before the agent has answered it. */
  isEnded: boolean;
  isCancelled: boolean;
}

/** A session, as an agent of version 1 has it. */
export interface Session {
  readonly id: string;
  readonly ids: MessageIds;
  /** The configuration options in version 2, without that of the modes. */
  options: readonly unknown[];
  /** The option that stands for the modes. */
  mode: Readonly<Record<string, unknown>> | undefined;
  readonly prompts: Set<Prompt>;
  /** The end of work that is not reported, because another prompt was waiting. */
  end: Readonly<Record<string, unknown>> | undefined;
  /** The requests for permission that wait for the client, by their ids. */
  readonly permissions: Set<RequestId>;
}

/** The sessions of a client of version 2. */
export class Sessions {
  readonly #sessions = new RecentMap<string, Session>(
    LIMITS.sessions,
    LIMITS.size,
    ({ prompts }) => prompts.size > 0,
  );

  /** How many sessions were not known, which makes prefixes of the same time differ. */
  #count = 0;

  /**
   * Returns a session, which is new when it is not known. It may have had messages before, so their
   * ids are not made again.
   */
  get(id: string): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    return this.#add(id, `message-${Date.now().toString(36)}-${++this.#count}`);
  }

  /** Returns a session that begins. */
  begin(id: string): Session {
    return this.#sessions.get(id) ?? this.#add(id, "message");
  }

  #add(id: string, prefix: string): Session {
    const session: Session = {
      id,
      ids: new MessageIds(prefix),
      options: [],
      mode: undefined,
      prompts: new Set(),
      end: undefined,
      permissions: new Set(),
    };
    this.#sessions.set(id, session);
    this.#resize(session);
    return session;
  }

  /** Remembers the options of a session; none when the value is not a list. */
  setOptions(session: Session, options: unknown): void {
    session.options = Array.isArray(options) ? options : [];
    this.#resize(session);
  }

  /** Remembers the option that stands for the modes of a session. */
  setMode(session: Session, mode: Session["mode"]): void {
    session.mode = mode;
    this.#resize(session);
  }

  /** Measures again what is kept of a session. */
  #resize({ id, options, mode }: Session): void {
    this.#sessions.resize(id, id.length + sizeOf([options, mode]));
  }

  delete(id: string): void {
    this.#sessions.delete(id);
  }
}

/** Returns the options of a session, with that of the modes. */
export function allOptions({ mode, options }: Session): readonly unknown[] {
  return mode === undefined ? options : [mode, ...options];
}
