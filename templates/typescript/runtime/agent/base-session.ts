import { AcpError } from "../acp-error.js";
import { bindPeer } from "../session/bound-peer.js";
import { requireArgument } from "../rpc/require-argument.js";
import { text } from "../session/blocks.js";
import { ofQuestion, type CallOptions, type NotifyOptions } from "../rpc/outbound-requests.js";
import type { SessionLink } from "../session/link.js";
import * as sentences from "../sentences.js";
import { readChunks, type Chunks } from "./read-chunks.js";

type Block = { readonly type: string };

/** The common part of an agent's session in both versions; see `SessionUpdates` for its types. */
export abstract class BaseSession {
  readonly id: string;
  protected readonly link: SessionLink;
  readonly #source: { readonly signal: AbortSignal };
  readonly #hasEnded: (() => boolean) | undefined;
  #client: object | undefined;

  /**
   * @param source creates the signal on first use
   * @param hasEnded returns whether the turn that the session belongs to has ended
   */
  constructor(
    link: SessionLink,
    id: string,
    source: { readonly signal: AbortSignal },
    hasEnded?: () => boolean,
  ) {
    this.link = link;
    this.id = id;
    this.#source = source;
    this.#hasEnded = hasEnded;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }

  get client(): object {
    return (this.#client ??= bindPeer(this.link, this.id, () => this.options));
  }

  update(tag: string, fields: object, options?: NotifyOptions): Promise<void> {
    requireArgument(
      "session.update",
      tag,
      "a non-empty string",
      `session.update("plan", { entries: [] })`,
    );
    if (this.#hasEnded?.() && this.isOfTurn(tag)) return this.#refuse(tag);
    const update = { sessionUpdate: tag, ...fields };
    return this.link.peer.notify(this.link.names.update, { sessionId: this.id, update }, options);
  }

  /** Returns whether an update belongs to a turn, so that it must not follow its end. */
  protected abstract isOfTurn(tag: string): boolean;

  /**
   * Refuses an update. The rejection need not be handled, since updates are often not awaited, and
   * a turn may end between two of them.
   */
  #refuse(tag: string): Promise<never> {
    const text = sentences.afterTurn(tag);
    const refused = Promise.reject(new AcpError(text, this.link.names.update));
    refused.catch(() => {});
    return refused;
  }

  text(content: string | Block): Promise<void> {
    return this.chunk("agent_message", blockOf(content));
  }

  thought(content: string | Block): Promise<void> {
    return this.chunk("agent_thought", blockOf(content));
  }

  async stream(source: Chunks<string | Block>): Promise<string> {
    let sent = "";
    await readChunks(source, this.signal, async (chunk) => {
      if (chunk === "") return;
      await this.text(chunk);
      sent += typeof chunk === "string" ? chunk : "text" in chunk ? String(chunk.text) : "";
    });
    return sent;
  }

  /** Calls a method of the client for this session. */
  request(method: string, params: object, options: object = this.options): Promise<unknown> {
    return this.link.peer.request(method, { sessionId: this.id, ...params }, options);
  }

  /** Asks the user about a tool call. */
  protected requestPermission(params: object, options?: NotifyOptions): Promise<unknown> {
    // A client answers a question of a cancelled turn.
    const all = { ...ofQuestion(this.signal), ...options };
    return this.request(this.link.names.requestPermission, params, all);
  }

  protected get options(): CallOptions {
    return { signal: this.signal };
  }

  protected abstract chunk(kind: "agent_message" | "agent_thought", content: Block): Promise<void>;
}

export function completeEntries(entries: readonly object[]): object[] {
  requireArgument(
    "session.plan",
    entries,
    "an array",
    `session.plan([{ content: "Read the code" }])`,
  );
  return entries.map((entry) => {
    const { priority = "medium", status = "pending" } = entry as Record<string, unknown>;
    return { ...entry, priority, status };
  });
}

export function requireToolCall(fields: object): void {
  requireArgument(
    "session.toolCall",
    fields,
    "an object",
    `session.toolCall({ title: "Run the tests" })`,
  );
}

function blockOf(content: string | Block): Block {
  return typeof content === "string" ? text(content) : content;
}
