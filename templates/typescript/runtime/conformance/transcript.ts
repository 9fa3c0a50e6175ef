import { isRecord } from "../rpc/messages.js";

/** The two sides of a connection. */
export type Side = "agent" | "client";

export function otherSide(side: Side): Side {
  return side === "agent" ? "client" : "agent";
}

/** One message of a recorded conversation. */
export interface TranscriptEntry {
  /** The sender of the message. */
  readonly from: Side;
  readonly message: unknown;
  /** The line in the recording; when absent, entries are counted from 1. */
  readonly line?: number;
}

/**
 * Parses a recording with one `{ "from": …, "message": … }` per line. Empty lines are skipped,
 * but counted.
 *
 * @throws SyntaxError for a line with other content, with its number
 */
export function parseTranscript(text: string): TranscriptEntry[] {
  return text.split("\n").flatMap((content, index) => {
    if (content.trim() === "") return [];
    const line = index + 1;
    const entry = parse(content, line);
    if (!isRecord(entry) || !isSide(entry["from"]) || !Object.hasOwn(entry, "message"))
      throw new SyntaxError(`line ${line} is not an object with from and message`);
    return [{ from: entry["from"], message: entry["message"], line }];
  });
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(`line ${line} is not JSON`, { cause });
  }
}

function isSide(value: unknown): value is Side {
  return value === "agent" || value === "client";
}
