import { bindPeer } from "../session/bound-peer.js";
import { text } from "../session/blocks.js";
import type { NotifyOptions } from "../rpc/outbound-requests.js";
import type { SessionLink } from "../session/link.js";
import { readChunks, type Chunks } from "./read-chunks.js";

type Block = { readonly type: string };

/** The common part of an agent's session in both versions; see `SessionUpdates` for its types. */
export abstract class BaseSession {
  readonly id: string;
  protected readonly link: SessionLink;
  readonly #source: { readonly signal: AbortSignal };
  #client: object | undefined;

  /** @param source creates the signal on first use */
  constructor(link: SessionLink, id: string, source: { readonly signal: AbortSignal }) {
    this.link = link;
    this.id = id;
    this.#source = source;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }

  get client(): object {
    return (this.#client ??= bindPeer(this.link, this.id, () => this.options));
  }

  update(tag: string, fields: object, options?: NotifyOptions): Promise<void> {
    const update = { sessionUpdate: tag, ...fields };
    return this.link.peer.notify("session/update", { sessionId: this.id, update }, options);
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
    return this.request("session/request_permission", params, { ...this.options, ...options });
  }

  protected get options(): { readonly signal: AbortSignal } {
    return { signal: this.signal };
  }

  protected abstract chunk(kind: "agent_message" | "agent_thought", content: Block): Promise<void>;
}

export function completeEntries(entries: readonly object[]): object[] {
  return entries.map((entry) => {
    const { priority = "medium", status = "pending" } = entry as Record<string, unknown>;
    return { ...entry, priority, status };
  });
}

function blockOf(content: string | Block): Block {
  return typeof content === "string" ? text(content) : content;
}
