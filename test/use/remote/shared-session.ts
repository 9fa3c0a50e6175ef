import type { Transport } from "acp-bindings";
import { RpcError } from "acp-bindings";
import { createAgent, type SessionUpdate } from "acp-bindings/v2";

type Connection = ReturnType<ReturnType<typeof createAgent>["connect"]>;

/** A session that several clients may have open at the same time. */
interface Shared {
  readonly clients: Set<Connection>;
  /** What a client that attaches later gets. */
  readonly history: SessionUpdate[];
  /** Aborted by the cancellation of any client; absent while the session is idle. */
  work: AbortController | undefined;
}

/** An agent whose sessions belong to no connection: clients attach to them by resuming them. */
export function createHub(work: (text: string, turn: SharedTurn) => Promise<void>) {
  const sessions = new Map<string, Shared>();
  const sharedOf = (sessionId: string): Shared => {
    const shared = sessions.get(sessionId);
    if (shared === undefined) throw RpcError.resourceNotFound("There is no such session");
    return shared;
  };
  return {
    /** Serves one client. When its connection ends, its sessions go on. */
    serve(transport: Transport): Connection {
      const agent = createAgent({
        info: { name: "hub", version: "1.0.0" },
        onError: () => {},
        handlers: {
          session: {
            new: () => {
              const sessionId = crypto.randomUUID();
              const clients = new Set([connection]);
              sessions.set(sessionId, { clients, history: [], work: undefined });
              return { sessionId };
            },
            list: () => ({
              sessions: [...sessions.keys()].map((sessionId) => ({ sessionId, cwd: "/" })),
            }),
            // Attaching: the history so far, the state, and from then on what every client gets.
            resume: async ({ sessionId, replayFrom }, { client }) => {
              const shared = sharedOf(sessionId);
              const state = shared.work === undefined ? IDLE : RUNNING;
              for (const update of [...(replayFrom ? shared.history : []), state])
                await client.session.update({ sessionId, update });
              shared.clients.add(connection);
              return {};
            },
            // Closing is for all clients: the protocol has no message that only detaches.
            close: ({ sessionId }) => {
              sharedOf(sessionId).work?.abort();
              sessions.delete(sessionId);
              return {};
            },
            cancel: ({ sessionId }) => sessions.get(sessionId)?.work?.abort(),
            // Every client may prompt, one at a time; the work belongs to the session.
            prompt: ({ sessionId, prompt }, { afterResponse }) => {
              const shared = sharedOf(sessionId);
              if (shared.work !== undefined) throw new RpcError(-32600, "The session is busy");
              shared.work = new AbortController();
              const messageId = crypto.randomUUID();
              const turn = new SharedTurn(sessionId, shared, shared.work.signal);
              turn.send({ sessionUpdate: "user_message", messageId, content: [...prompt] });
              turn.send(RUNNING);
              afterResponse(async () => {
                const [block] = prompt;
                await work(block?.type === "text" ? block.text : "", turn);
                const stopReason = turn.signal.aborted ? "cancelled" : "end_turn";
                shared.work = undefined;
                turn.send({ ...IDLE, stopReason });
              });
              return { messageId };
            },
          },
        },
      });
      const connection = agent.connect(transport);
      void connection.closed.then(() => {
        for (const { clients } of sessions.values()) clients.delete(connection);
      });
      return connection;
    },
  };
}

const RUNNING = { sessionUpdate: "state_update", state: "running" } as const;
const IDLE = { sessionUpdate: "state_update", state: "idle" } as const;

/** The work on a prompt, which every client of the session sees. */
export class SharedTurn {
  readonly #sessionId: string;
  readonly #shared: Shared;
  readonly signal: AbortSignal;

  constructor(sessionId: string, shared: Shared, signal: AbortSignal) {
    this.#sessionId = sessionId;
    this.#shared = shared;
    this.signal = signal;
  }

  send(update: SessionUpdate): void {
    if (update.sessionUpdate !== "state_update") this.#shared.history.push(update);
    for (const { client } of this.#shared.clients)
      client.session.update({ sessionId: this.#sessionId, update }).catch(() => {});
  }

  text(text: string): void {
    const messageId = crypto.randomUUID();
    const content = [{ type: "text", text } as const];
    this.send({ sessionUpdate: "agent_message", messageId, content });
  }

  /** Asks every client. The first answer counts, and the other questions are withdrawn. */
  async ask(title: string): Promise<string> {
    const rest = new AbortController();
    const signal = AbortSignal.any([this.signal, rest.signal]);
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ] as const;
    const params = { sessionId: this.#sessionId, title, options: [...options] };
    const answers = [...this.#shared.clients].map(async ({ client }) => {
      const { outcome } = await client.session.requestPermission(params, { signal });
      if (outcome.outcome !== "selected") throw new Error("not answered");
      return String(outcome.optionId);
    });
    const first = await Promise.any(answers).catch(() => "no");
    rest.abort();
    return first;
  }
}
