import { read } from "./capability.js";
import { keyAsked } from "./entry-gates.js";
import { isRecord } from "../rpc/messages.js";
import type { MethodDescriptor, SessionFact } from "../methods.js";
import { addLeaf, emptyTree, visit, type PathTree } from "./path-tree.js";
import {
  forgetOldest,
  idOf,
  isSessionGate,
  learnList,
  learnThing,
  newKeys,
  type Session,
  type SessionGate,
} from "./session-keys.js";

/** How many sessions are remembered. */
const MOST_SESSIONS = 1000;

/** After these a session is no longer in use, until another method opens it again. */
const ENDING = new Set(["session/close", "session/delete", "session/archive"]);

/** A fact that a message tells, and the gates that ask for it. */
interface Source {
  readonly fact: SessionFact;
  readonly gates: readonly SessionGate[];
}

/** Where the messages of a method tell facts. */
interface Tellers {
  readonly params: PathTree<Source>;
  readonly result: PathTree<Source>;
}

interface Message {
  readonly params: unknown;
  readonly result: unknown;
}

/**
 * What is known of the sessions of one connection, from the messages that went over it.
 * Unknown is not closed: gates of sessions that were never seen, and of lists that were
 * never told, are open.
 *
 * Memory is bounded: only ids that open a gate are kept, at most 1000 of the last for a
 * gate of a session, and at most 1000 sessions; the oldest are forgotten first. A session
 * is forgotten once it was closed, deleted or archived.
 */
export class SessionFacts {
  readonly #sessions = new Map<string, Session>();
  readonly #tellers = new Map<MethodDescriptor, Tellers>();
  /** Where params say which thing in the session is meant, by what tells about such things. */
  readonly #ids = new Map<string, string>();
  /** The gates that things in a session open: closed for a thing that never said so. */
  readonly #thingGates: readonly SessionGate[];

  constructor(methods: readonly MethodDescriptor[]) {
    const gates = methods.flatMap(({ gate }) => (isSessionGate(gate) ? [gate] : []));
    for (const method of methods) {
      if (method.facts === undefined) continue;
      const tellers: Tellers = { params: emptyTree(), result: emptyTree() };
      for (const fact of method.facts) {
        const asking = gates.filter(({ path }) => path[0] === fact.fact);
        addLeaf(tellers[fact.part], fact.path, { fact, gates: asking });
        if (fact.id !== undefined) this.#ids.set(fact.fact, fact.id);
      }
      this.#tellers.set(method, tellers);
    }
    this.#thingGates = gates.filter(({ kind }) => kind === "capability");
  }

  /** Whether the params ask for something that their session allows at the moment, or may allow. */
  isOpen(gate: SessionGate, params: unknown): boolean {
    const sessionId = read(params, "sessionId");
    const session = typeof sessionId === "string" ? this.#sessions.get(sessionId) : undefined;
    const keys = session?.get(gate);
    if (keys === undefined) return true;
    const key = gate.kind === "entry" ? keyAsked(gate, params) : this.#thingAsked(gate, params);
    return keys.isPartial || (key !== undefined && keys.open.has(key));
  }

  /** Takes in what a message tells: its params, or its result where that is given. */
  learn(method: MethodDescriptor, params: unknown, result?: unknown): void {
    const part = result === undefined ? "params" : "result";
    if (part === "result" && ENDING.has(method.name)) {
      const sessionId = read(params, "sessionId");
      if (typeof sessionId === "string") this.#sessions.delete(sessionId);
      return;
    }
    const tellers = this.#tellers.get(method);
    if (tellers !== undefined)
      visit(tellers[part], part === "result" ? result : params, this.#take, { params, result });
  }

  /** Takes in what an object at the place of a fact tells. */
  readonly #take = ({ fact, gates }: Source, teller: unknown, message: Message): undefined => {
    if (!isRecord(teller)) return;
    // A session that is made has its id in the result.
    const sessionId = read(message.result, "sessionId") ?? read(message.params, "sessionId");
    if (typeof sessionId !== "string") return;
    const session = this.#session(sessionId);
    for (const gate of gates) {
      if (gate.kind === "entry") learnList(session, gate, teller, fact.part);
      else if (fact.id !== undefined) learnThing(session.get(gate)!, gate, teller, fact.id);
    }
  };

  #session(sessionId: string): Session {
    let session = this.#sessions.get(sessionId);
    if (session === undefined) {
      session = new Map(this.#thingGates.map((gate) => [gate, newKeys()]));
      this.#sessions.set(sessionId, session);
      forgetOldest(this.#sessions, MOST_SESSIONS);
    }
    return session;
  }

  #thingAsked({ path }: SessionGate, params: unknown): string | undefined {
    const id = this.#ids.get(path[0]!);
    return id === undefined ? undefined : idOf(params, id);
  }
}
