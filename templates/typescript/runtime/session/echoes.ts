import { isRecord } from "../rpc/messages.js";
import { isText } from "./content.js";
import type { MessageEntity } from "./session-state.js";

/** A chunk of a message of the user. */
export interface UserChunk {
  readonly messageId?: string | null | undefined;
  readonly content: unknown;
  readonly _meta?: unknown;
}

/** The meaning of a chunk. */
export interface Recognized {
  /** The message of the prompt that is echoed; undefined for another message. */
  readonly echoed?: MessageEntity;
  /** The chunk, after the chunks before it that have to move to the same message. */
  readonly chunks: readonly UserChunk[];
  /** The message of the prompt that those chunks were taken for. */
  readonly mistaken?: MessageEntity;
}

/** The maximum number of prompts whose echoes are expected; the oldest are dropped first. */
const MAX_PROMPTS = 100;

/**
 * Recognizes the prompts of this side that the agent reports as messages of the user.
 *
 * Chunks with the same id, or without one, are compared with the content of a prompt: text as a
 * prefix, however it is divided into blocks and chunks, other blocks by equality. A prompt can be
 * echoed until it has ended; the oldest one only until the agent has said something, which is the
 * answer to it.
 */
export class Echoes {
  /** The prompts that have not ended, the oldest first. */
  readonly #prompts: Prompt[] = [];

  /** Expects the echo of a prompt. */
  expect(message: MessageEntity): void {
    this.#prompts.push(new Prompt(message));
    if (this.#prompts.length > MAX_PROMPTS) this.#prompts.shift();
  }

  /** Ends a prompt, by default the oldest one. */
  end(message: unknown = this.#prompts[0]?.message): void {
    const index = this.#prompts.findIndex((prompt) => prompt.message === message);
    if (index !== -1) this.#prompts.splice(index, 1);
  }

  /** Returns whether a message is that of a prompt that has not ended and was not echoed at all. */
  isUnreported(message: unknown): boolean {
    return this.#prompts.some((prompt) => prompt.message === message && !prompt.isEchoed);
  }

  /** Called when the agent has said something. */
  agentSpoke(): void {
    this.#prompts[0]?.close();
  }

  /** @param isKnown whether another message has the id of the chunk */
  recognize(chunk: UserChunk, isKnown: boolean): Recognized {
    const begun = this.#prompts.find((prompt) => prompt.hasBegunWith(chunk));
    if (begun === undefined && isKnown) return { chunks: [chunk] };
    if (begun?.take([chunk])) return { echoed: begun.message, chunks: [chunk] };
    const chunks = begun === undefined ? [chunk] : [...begun.restart(), chunk];
    const other = this.#prompts.find(
      (prompt) => prompt !== begun && prompt.canBegin && prompt.take(chunks),
    );
    return {
      chunks,
      ...(other !== undefined && { echoed: other.message }),
      ...(begun !== undefined && { mistaken: begun.message }),
    };
  }
}

/** A position in the content of a prompt. */
interface Position {
  /** The index of the part. */
  readonly part: number;
  /** The offset in the part's text. */
  readonly offset: number;
}

const START: Position = { part: 0, offset: 0 };

/** A prompt whose echo is expected. */
class Prompt {
  readonly message: MessageEntity;
  /** The text between other blocks, and those blocks; computed on first use. */
  #parts: readonly unknown[] | undefined;
  #chunks: UserChunk[] = [];
  #position = START;
  #isClosed = false;

  constructor(message: MessageEntity) {
    this.message = message;
  }

  get isEchoed(): boolean {
    return this.#chunks.length > 0;
  }

  get canBegin(): boolean {
    return !this.isEchoed && !this.#isClosed;
  }

  hasBegunWith({ messageId }: UserChunk): boolean {
    const [first] = this.#chunks;
    return (
      first !== undefined && !this.#isClosed && (first.messageId ?? null) === (messageId ?? null)
    );
  }

  /** Ends the echo. */
  close(): void {
    this.#isClosed = true;
  }

  /** Continues the echo with chunks if all of them fit. */
  take(chunks: readonly UserChunk[]): boolean {
    const parts = (this.#parts ??= partsOf(this.message.content));
    let position: Position | undefined = this.#position;
    for (const { content } of chunks) {
      position = follow(parts, position, content);
      if (position === undefined) return false;
    }
    for (const chunk of chunks) this.#chunks.push(chunk);
    this.#position = position;
    if (position.part === parts.length) this.close();
    return true;
  }

  /** Expects the echo from its start again, and returns the chunks that were none. */
  restart(): readonly UserChunk[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#position = START;
    return chunks;
  }
}

function partsOf(content: readonly unknown[]): unknown[] {
  const parts: unknown[] = [];
  for (const block of content) {
    if (!isText(block)) parts.push(block);
    else if (typeof parts.at(-1) === "string") parts.push(`${String(parts.pop())}${block.text}`);
    else if (block.text !== "") parts.push(block.text);
  }
  return parts;
}

/** Returns the position behind a block; undefined when another one is expected. */
function follow(
  parts: readonly unknown[],
  { part, offset }: Position,
  block: unknown,
): Position | undefined {
  const expected = parts[part];
  if (!isText(block)) {
    const isNext = offset === 0 && part < parts.length && isSame(expected, block);
    return isNext ? { part: part + 1, offset: 0 } : undefined;
  }
  const { text } = block;
  if (text === "") return { part, offset };
  if (typeof expected !== "string" || !expected.startsWith(text, offset)) return undefined;
  const end = offset + text.length;
  return end === expected.length ? { part: part + 1, offset: 0 } : { part, offset: end };
}

/** Compares values of JSON; null and undefined properties count as absent. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other || ((one ?? null) === null && (other ?? null) === null)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isRecord(one) || !isRecord(other)) return false;
  return Object.keys({ ...one, ...other }).every((key) => isSame(one[key], other[key]));
}
