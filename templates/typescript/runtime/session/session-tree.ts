import { hasAnyTrait } from "../find-method.js";
import { forgetOldest } from "../gates/session-keys.js";
import type { MethodDescriptor, MethodTrait } from "../methods.js";
import { isRecord } from "../rpc/messages.js";

/** The maximum number of remembered sessions. */
const MAX_SESSIONS = 1000;

/** The traits of methods that change a session. */
const CHANGING: readonly MethodTrait[] = [
  "starts-turn",
  "cancels-turn",
  "ends-session",
  "sets-mode",
  "sets-config-option",
  "sets-title",
];

/** What the updates of a connection have said about a session. */
interface Node {
  /** The session that has announced it as a subagent; absent for other sessions. */
  parent?: string;
  /** What the client may change in a subagent. */
  capabilities?: unknown;
  /** The background work of its last state. */
  background: readonly unknown[];
}

/**
 * The sessions of a connection and their subagents, as updates report them.
 *
 * Memory is bounded: at most 1000 sessions are kept; the oldest are dropped first.
 */
export class SessionTree {
  readonly #nodes = new Map<string, Node>();

  /** Records the params of a `session/update` that was sent or received. */
  update(params: unknown): void {
    const update = isRecord(params) ? params["update"] : undefined;
    if (!isRecord(update)) return;
    const session = (params as { readonly sessionId: string }).sessionId;
    if (update["sessionUpdate"] === "state_update") this.#setState(session, update);
    if (update["sessionUpdate"] !== "subagent_update") return;
    const child = String(update["sessionId"]);
    const node = this.#node(child);
    node.parent ??= session;
    if (update["capabilities"] !== undefined) node.capabilities = update["capabilities"];
    if (update["state"] !== undefined) this.#setState(child, update["state"]);
  }

  /**
   * Returns the sessions whose cancellation reaches a session: itself and its ancestors, up to one
   * that lists it as background work.
   *
   * @param isClosing whether the sessions are closed, which ends background work as well
   */
  path(id: string, isClosing = false): readonly string[] {
    const path = [id];
    for (const child of path) {
      const { parent } = this.#nodes.get(child) ?? {};
      const isReached =
        isClosing || !this.background(parent ?? "").some((work) => names(work, child));
      if (parent !== undefined && isReached && !path.includes(parent)) path.push(parent);
    }
    return path;
  }

  /** Returns the background work in the last state of a session, which a cancellation leaves running. */
  background(id: string): readonly unknown[] {
    return this.#nodes.get(id)?.background ?? [];
  }

  /** Returns whether a call would change a subagent that does not permit it. */
  isRefused(method: MethodDescriptor, params: unknown): boolean {
    const id = isRecord(params) ? params["sessionId"] : undefined;
    const node = typeof id === "string" ? this.#nodes.get(id) : undefined;
    if (node?.parent === undefined || !hasAnyTrait(method, CHANGING)) return false;
    const isCancel = method.kind === "notification";
    return !isCancel || !isRecord(node.capabilities) || !isRecord(node.capabilities["cancel"]);
  }

  #setState(id: string, state: unknown): void {
    const list = isRecord(state) ? state["background"] : undefined;
    const background: readonly unknown[] = Array.isArray(list) ? list : [];
    if (background.length > 0 || this.#nodes.has(id)) this.#node(id).background = background;
  }

  #node(id: string): Node {
    let node = this.#nodes.get(id);
    if (node === undefined) {
      this.#nodes.set(id, (node = { background: [] }));
      forgetOldest(this.#nodes, MAX_SESSIONS);
    }
    return node;
  }
}

function names(work: unknown, sessionId: string): boolean {
  return isRecord(work) && work["type"] === "subagent" && work["sessionId"] === sessionId;
}
