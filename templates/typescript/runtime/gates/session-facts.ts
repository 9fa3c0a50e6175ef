import { hasTrait } from "../find-method.js";
import { read } from "./capability.js";
import { keyOfParams } from "./entry-gates.js";
import { isRecord } from "../rpc/messages.js";
import type { MethodDescriptor, SessionFact } from "../methods.js";
import { addLeaf, emptyTree, visit, type PathTree } from "./path-tree.js";
import {
  forgetOldest,
  idOf,
  isSessionGate,
  learnList,
  learnItem,
  newKeys,
  type Session,
  type SessionGate,
} from "./session-keys.js";

/** The maximum number of remembered sessions. */
const MAX_SESSIONS = 1000;

/** A fact in a message, and the gates that depend on it. */
interface Source {
  readonly fact: SessionFact;
  readonly gates: readonly SessionGate[];
}

/** The facts in the messages of a method. */
interface FactPaths {
  readonly params: PathTree<Source>;
  readonly result: PathTree<Source>;
}

interface Message {
  readonly params: unknown;
  readonly result: unknown;
}

/**
 * The state of the sessions of one connection, as far as its messages have shown it. Gates of
 * unknown sessions and of lists that were never received are open.
 *
 * Memory is bounded: only ids that open a gate are kept, at most the last 1000 for a gate of a
 * session, and at most 1000 sessions; the oldest are dropped first. A session is dropped after it
 * was closed, deleted or archived.
 */
export class SessionFacts {
  readonly #sessions = new Map<string, Session>();
  readonly #factPaths = new Map<MethodDescriptor, FactPaths>();
  /** The property of params that identifies an item of the session, by the name of the fact. */
  readonly #ids = new Map<string, string>();
  /** The gates that items of a session open; closed for an item that never advertised it. */
  readonly #itemGates: readonly SessionGate[];

  constructor(methods: readonly MethodDescriptor[]) {
    const gates = methods.flatMap(({ gate }) => (isSessionGate(gate) ? [gate] : []));
    for (const method of methods) {
      if (method.facts === undefined) continue;
      const facts: FactPaths = { params: emptyTree(), result: emptyTree() };
      for (const fact of method.facts) {
        const dependent = gates.filter(({ path }) => path[0] === fact.fact);
        addLeaf(facts[fact.part], fact.path, { fact, gates: dependent });
        if (fact.id !== undefined) this.#ids.set(fact.fact, fact.id);
      }
      this.#factPaths.set(method, facts);
    }
    this.#itemGates = gates.filter(({ kind }) => kind === "capability");
  }

  /** Returns whether the session of the params allows the call now, or may allow it. */
  isOpen(gate: SessionGate, params: unknown): boolean {
    const sessionId = read(params, "sessionId");
    const session = typeof sessionId === "string" ? this.#sessions.get(sessionId) : undefined;
    const keys = session?.get(gate);
    if (keys === undefined) return true;
    const key = gate.kind === "entry" ? keyOfParams(gate, params) : this.#itemKey(gate, params);
    return keys.isPartial || (key !== undefined && keys.open.has(key));
  }

  /** Records the facts in a message: in its params, or in its result when that is given. */
  learn(method: MethodDescriptor, params: unknown, result?: unknown): void {
    const part = result === undefined ? "params" : "result";
    if (part === "result" && hasTrait(method, "ends-session")) {
      const sessionId = read(params, "sessionId");
      if (typeof sessionId === "string") this.#sessions.delete(sessionId);
      return;
    }
    const facts = this.#factPaths.get(method);
    if (facts !== undefined)
      visit(facts[part], part === "result" ? result : params, this.#record, { params, result });
  }

  /** Records one fact of a message. */
  readonly #record = ({ fact, gates }: Source, holder: unknown, message: Message): undefined => {
    if (!isRecord(holder)) return;
    // The id of a new session is in the result.
    const sessionId = read(message.result, "sessionId") ?? read(message.params, "sessionId");
    if (typeof sessionId !== "string") return;
    const session = this.#session(sessionId);
    for (const gate of gates) {
      if (gate.kind === "entry") learnList(session, gate, holder, fact.part);
      else if (fact.id !== undefined) learnItem(session.get(gate)!, gate, holder, fact.id);
    }
  };

  #session(sessionId: string): Session {
    let session = this.#sessions.get(sessionId);
    if (session === undefined) {
      session = new Map(this.#itemGates.map((gate) => [gate, newKeys()]));
      this.#sessions.set(sessionId, session);
      forgetOldest(this.#sessions, MAX_SESSIONS);
    }
    return session;
  }

  #itemKey({ path }: SessionGate, params: unknown): string | undefined {
    const id = this.#ids.get(path[0]!);
    return id === undefined ? undefined : idOf(params, id);
  }
}
