import { ErrorCodes } from "../../rpc/errors.js";
import type { RequestId } from "../../rpc/messages.js";
import type { BridgedHandshake } from "../handshake.js";
import { LIMITS, BoundedMap } from "../limits.js";
import type { Relay } from "../relay.js";
import type { Rest } from "../../session/rest.js";
import { Questions } from "../state/questions.js";
import { WaitingPrompts, type Prompt } from "../state/turns.js";
import { UpdatesToV1 } from "./updates.js";

/** A session, as a client of version 1 has it. */
export interface SessionForV1 {
  readonly id: string;
  readonly turns: WaitingPrompts;
  readonly questions: Questions;
  updates: UpdatesToV1;
  /** Whether work was reported since the session was idle last. */
  hasWorked: boolean;
  rest: Rest | undefined;
}

/** The sessions of a client of version 1. */
export class ClientV1Sessions {
  readonly #relay: Relay;
  readonly #handshake: BridgedHandshake;
  readonly #sessions = new BoundedMap<string, SessionForV1>(
    LIMITS.sessions,
    LIMITS.size,
    ({ turns }) => turns.isBusy,
    ({ turns }) => endAll(turns, "The bridge has too many sessions"),
  );
  /** The prompts that are not answered, by the ids of their requests. */
  readonly #prompts = new Map<
    unknown,
    { readonly session: SessionForV1; readonly prompt: Prompt }
  >();

  constructor(relay: Relay, handshake: BridgedHandshake) {
    this.#relay = relay;
    this.#handshake = handshake;
  }

  /** Whether a prompt is not answered. */
  get hasOpenTurn(): boolean {
    return this.#prompts.size > 0;
  }

  /** Returns a session, which is new when it is not known. */
  get(id: string): SessionForV1 {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session: SessionForV1 = {
      id,
      turns: new WaitingPrompts(),
      questions: new Questions(this.#relay),
      updates: this.#createUpdates(id),
      hasWorked: false,
      rest: undefined,
    };
    this.#sessions.set(id, session);
    this.resize(session);
    return session;
  }

  /** Hides a session that is not known from the client, which is not asked about it either. */
  hide(id: string): void {
    if (this.#sessions.get(id) !== undefined) return;
    const { updates, questions } = this.get(id);
    updates.isHidden = true;
    questions.cancel(false);
  }

  /** Prepares a session to be replayed to a client, which forgets what was reported of it. */
  replay(session: SessionForV1): void {
    session.updates.flush();
    const { mode } = session.updates.options;
    session.updates = this.#createUpdates(session.id);
    session.updates.options.mode = mode;
    session.updates.isReplaying = true;
  }

  /** Starts a prompt, whose answer goes to the client. */
  start(session: SessionForV1, id: RequestId): Prompt {
    const prompt = session.turns.start((answer) => {
      if (this.#prompts.get(id)?.prompt === prompt) this.#prompts.delete(id);
      this.#relay.reply("client", id, answer);
    });
    this.#prompts.set(id, { session, prompt });
    return prompt;
  }

  /** Finds a prompt that is not answered, and its session, by the id of its request. */
  findPrompt(id: unknown): { readonly session: SessionForV1; readonly prompt: Prompt } | undefined {
    return this.#prompts.get(id);
  }

  /** Measures again what is kept of a session. */
  resize({ id, updates }: SessionForV1): void {
    this.#sessions.resize(id, id.length + updates.size);
  }

  /** Forgets a session that is closed or deleted, which cancels its prompts. */
  end(id: string): void {
    const { turns, updates } = this.get(id);
    updates.flush();
    for (const { answer } of turns.clear()) answer({ result: { stopReason: "cancelled" } });
    this.#sessions.delete(id);
  }

  /** Sends the output that waits for more of it. */
  flush(): void {
    for (const { updates } of this.#sessions.values()) updates.flush();
  }

  /** Answers the prompts that wait, because the agent has ended. */
  agentEnded(reason: string): void {
    this.flush();
    for (const { turns } of this.#sessions.values()) endAll(turns, reason);
  }

  #createUpdates(id: string): UpdatesToV1 {
    return new UpdatesToV1(id, this.#relay, this.#handshake.client);
  }
}

/** Answers the prompts of a session with an error. */
function endAll(turns: WaitingPrompts, message: string): void {
  for (const { answer } of turns.clear())
    answer({ error: { code: ErrorCodes.InternalError, message } });
}
