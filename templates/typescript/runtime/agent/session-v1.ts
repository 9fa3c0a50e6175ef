import { isInstance } from "../acp-error.js";
import { ConnectionClosedError } from "../rpc/errors.js";
import type { NotifyOptions } from "../rpc/outbound-requests.js";
import { onAbort } from "../rpc/on-abort.js";
import { requireArgument } from "../rpc/require-argument.js";
import type { AgentTerminal } from "./agent-session.js";
import { BaseSession, completeEntries, requireToolCall } from "./base-session.js";
import { AnnouncedToolCall } from "./tool-call.js";

/** The updates that belong to a turn; the others are about the session. */
const TURN_UPDATES = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_message_clear",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "plan_update",
  "plan_removed",
]);

/** A session of an agent in version 1. */
export class AgentSessionV1 extends BaseSession {
  plan(entries: readonly object[]): Promise<void> {
    return this.update("plan", { entries: completeEntries(entries) });
  }

  async toolCall(given: object, options?: NotifyOptions): Promise<AnnouncedToolCall> {
    requireToolCall(given);
    const { toolCallId = crypto.randomUUID(), ...fields } = given as { toolCallId?: string };
    await this.update("tool_call", { ...fields, toolCallId }, options);
    return new AnnouncedToolCall(toolCallId, fields, {
      signal: this.signal,
      send: (change) => this.update("tool_call_update", change, options),
      // The question has what is known of the call, for clients that show it apart from the updates.
      ask: (choices, { status: _, ...known }) => {
        const params = { toolCall: { ...known, toolCallId }, options: choices };
        return this.requestPermission(params, options);
      },
    });
  }

  async terminal(params: object): Promise<AgentTerminal | undefined> {
    requireArgument(
      "session.terminal",
      params,
      "an object",
      `session.terminal({ command: "npm" })`,
    );
    const { terminal } = this.client as { readonly terminal?: { readonly create?: unknown } };
    if (terminal?.create === undefined) return undefined;
    return createTerminal((...call) => this.request(...call), params, this.signal);
  }

  protected isOfTurn(tag: string): boolean {
    return TURN_UPDATES.has(tag);
  }

  protected chunk(kind: "agent_message" | "agent_thought", content: object): Promise<void> {
    return this.update(`${kind}_chunk`, { content });
  }
}

interface Created {
  readonly terminalId: string;
}

type Request = (method: string, params: object, options?: object) => Promise<unknown>;

/**
 * Starts a command in a terminal of the client. One that is created after the signal was aborted
 * is released.
 *
 * @param request calls a method of the client for the session
 * @throws the signal's reason when it is aborted
 */
async function createTerminal(
  request: Request,
  params: object,
  signal: AbortSignal,
): Promise<AgentTerminal> {
  // The end of the connection ends the call itself, with an error that names it.
  const isClosed = (): boolean => isInstance(signal.reason, ConnectionClosedError);
  if (!isClosed()) signal.throwIfAborted();
  const creating = request("terminal/create", params, {}) as Promise<Created>;
  const release = ({ terminalId }: Created): Promise<unknown> =>
    request("terminal/release", { terminalId }, {});
  const created = await new Promise<Created>((resolve, reject) => {
    const stop = onAbort(signal, () => {
      creating.then(release).catch(() => {});
      if (!isClosed()) reject(signal.reason as Error);
    });
    creating.finally(stop).then(resolve, reject);
  });
  return toTerminal(request, created);
}

function toTerminal(request: Request, created: Created): AgentTerminal {
  const { terminalId } = created;
  const call = (name: string, options?: object): Promise<unknown> =>
    request(`terminal/${name}`, { terminalId }, options);
  let released: Promise<void> | undefined;
  // A terminal is released even after the signal was aborted.
  const release = (): Promise<void> => (released ??= call("release", {}).then(() => {}));
  return {
    id: terminalId,
    content: { type: "terminal", terminalId },
    wait: () => call("wait_for_exit"),
    output: () => call("output"),
    kill: async () => void (await call("kill", {})),
    release,
    [Symbol.asyncDispose]: release,
  };
}
