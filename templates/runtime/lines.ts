/** The longest line that is accepted unless another limit is given: 32 MiB. */
export const DEFAULT_LINE_LIMIT = 32 * 1024 * 1024;

/** What a line reader reports. */
export interface LineReceiver {
  /** One line without its end and byte order mark, decoded. Empty lines are not reported. */
  line(text: string): void;
  /** A line that cannot be used; reading goes on with the next one. */
  broken(reason: "not-utf8" | "too-long"): void;
}

/** Cuts bytes into lines, however they are split into chunks. */
export interface LineReader {
  push(chunk: Uint8Array): void;
  /** The bytes have ended; a last line without an end counts. */
  end(): void;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Makes a reader of newline-delimited UTF-8 text. A byte order mark and a
 * carriage return before the line feed are dropped; invalid UTF-8 is never
 * replaced but reported.
 *
 * @param limit the longest line in bytes, without its end; a longer one is skipped as it comes, never kept
 */
export function createLineReader(
  receiver: LineReceiver,
  limit: number = DEFAULT_LINE_LIMIT,
): LineReader {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Uint8Array[] = [];
  let size = 0;
  let skipping = false;

  const add = (part: Uint8Array): void => {
    if (skipping || part.length === 0) return;
    size += part.length;
    // One more than the limit: it may be the carriage return of the line's end.
    if (size > limit + 1) {
      skipping = true;
      parts = [];
    } else parts.push(part);
  };
  const finish = (): void => {
    if (skipping) receiver.broken("too-long");
    else if (size > 0) emit(parts.length === 1 ? parts[0]! : concat(parts, size));
    parts = [];
    size = 0;
    skipping = false;
  };
  const emit = (bytes: Uint8Array): void => {
    const end = bytes[bytes.length - 1] === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    if (end > limit) return receiver.broken("too-long");
    let text: string;
    try {
      text = decoder.decode(bytes.subarray(0, end));
    } catch {
      return receiver.broken("not-utf8");
    }
    if (text !== "") receiver.line(text);
  };
  return {
    push: (chunk) => {
      let start = 0;
      for (;;) {
        const found = chunk.indexOf(LINE_FEED, start);
        if (found < 0) break;
        add(chunk.subarray(start, found));
        finish();
        start = found + 1;
      }
      // A copy: the source may reuse the chunk's memory before the line ends. (`slice` of a
      // Node.js Buffer would be a view.)
      add(new Uint8Array(chunk.subarray(start)));
    },
    end: finish,
  };
}

function concat(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
