import { CapabilityError } from "../rpc/errors.js";
import { isRecord } from "../rpc/messages.js";

/** The behavior of a mock agent during prompts. */
export interface Turns {
  /**
   * Streams every update that the client supports to the session of the prompt.
   *
   * @param sample the result of `session/prompt`
   */
  readonly run: (params: unknown, context: unknown, sample: unknown) => Promise<unknown>;
  /** Cancels the turns of the session that the params name. */
  readonly cancel: (params: unknown) => void;
}

const STATE = "state_update";

const CHANGE = "tool_call_update";

/** Updates of version 2 that a turn sends with its own content, or that are not part of one. */
const OTHER_UPDATES: readonly string[] = [STATE, "user_message", "replay_complete"];

/** Sends an update; resolves to false once the turn was cancelled. */
type Send = (update: object) => Promise<boolean>;

/**
 * Creates the turns of one mock. If there are updates for the state of a session (version 2), a
 * prompt is answered as soon as the user's message was sent, and the following updates end with
 * the state `idle`; otherwise (version 1) the answer follows all updates.
 *
 * @param updates one update of every variant, by its tag
 */
export function createTurns(updates: object): Turns {
  const all = Object.entries(updates).map(([variant, update]): readonly [string, object] => [
    variant,
    variant === CHANGE ? { ...(update as object), ...announced(updates) } : (update as object),
  ]);
  const others = all.filter(([variant]) => !OTHER_UPDATES.includes(variant));
  const cancelled = new Set<unknown>();
  let count = 0;

  async function runWhole(sample: object, send: Send): Promise<object> {
    for (const [, update] of all) {
      if (!(await send(update))) return { ...sample, stopReason: "cancelled" };
    }
    return sample;
  }

  async function accept(sample: object, params: unknown, send: Send): Promise<object> {
    // Two messages never have the same id.
    const id = text(sample, "messageId");
    const messageId = ++count === 1 ? id : `${id}-${count}`;
    const content = isRecord(params) ? params["prompt"] : [];
    await send({ sessionUpdate: "user_message", messageId, content });
    // The rest is not awaited, and fails when the connection has ended in the meantime.
    setTimeout(() => void work(send).catch(() => {}));
    return { ...sample, messageId };
  }

  async function work(send: Send): Promise<void> {
    let isActive = await send({ sessionUpdate: STATE, state: "running" });
    for (const [, update] of others) isActive = isActive && (await send(update));
    const stopReason = isActive ? "end_turn" : "cancelled";
    await send({ sessionUpdate: STATE, state: "idle", stopReason });
  }

  return {
    run: (params, context, given) => {
      const sample = isRecord(given) ? given : {};
      const sessionId = text(params, "sessionId");
      cancelled.delete(sessionId);
      const send: Send = async (update) => {
        await sessionOf(context)?.update?.({ sessionId, update }).catch(skipUnsupported);
        return !cancelled.has(sessionId);
      };
      return Object.hasOwn(updates, STATE) ? accept(sample, params, send) : runWhole(sample, send);
    },
    cancel: (params) => void cancelled.add(text(params, "sessionId")),
  };
}

/** Skips an update that the client does not support, as agents do. */
function skipUnsupported(error: unknown): void {
  if (!(error instanceof CapabilityError)) throw error;
}

/** Returns the id of the tool call that version 1 announces before it is updated. */
function announced(updates: { readonly tool_call?: unknown }): { readonly toolCallId?: string } {
  const toolCallId = text(updates.tool_call, "toolCallId");
  return toolCallId === "" ? {} : { toolCallId };
}

/** The part of a connected client that receives updates. */
interface UpdatedSession {
  readonly update?: (params: object) => Promise<void>;
}

function sessionOf(context: unknown): UpdatedSession | undefined {
  const { client } = context as { readonly client: { readonly session?: UpdatedSession } };
  return client.session;
}

function text(holder: unknown, name: string): string {
  const value = isRecord(holder) ? holder[name] : undefined;
  return typeof value === "string" ? value : "";
}
