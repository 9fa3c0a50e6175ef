/** The longest line that is accepted unless another limit is given: 32 MiB. */
export const DEFAULT_LINE_LIMIT = 32 * 1024 * 1024;

/** What a line reader reports. */
export interface LineReceiver {
  /** One line without its end and byte order mark, decoded. */
  line(text: string): void;
  /** An empty line: it carries no message, but counts where lines are numbered. */
  empty?(): void;
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

/** Memory up to this size is kept for the next line whatever its length, in bytes. */
const KEPT = 64 * 1024;

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
  // The start of a line whose end has not come. One growing piece of memory, not a list of
  // chunks: a peer that sends single bytes would make each of them an object.
  let held = new Uint8Array(0);
  let size = 0;
  let isSkipping = false;

  const hold = (part: Uint8Array): void => {
    if (isSkipping || part.length === 0) return;
    // One more than the limit: it may be the carriage return of the line's end.
    if (size + part.length > limit + 1) {
      isSkipping = true;
      return release();
    }
    if (size + part.length > held.length) {
      const larger = new Uint8Array(
        Math.max(size + part.length, Math.min(held.length * 2, limit + 1)),
      );
      larger.set(held.subarray(0, size));
      held = larger;
    }
    held.set(part, size);
    size += part.length;
  };
  const release = (): void => {
    // Long lines in a row share one piece of memory; a shorter one gives it back.
    if (held.length > KEPT && size < held.length / 2) held = new Uint8Array(0);
    size = 0;
  };
  const finish = (last: Uint8Array): void => {
    if (size > 0) hold(last);
    const line = size > 0 ? held.subarray(0, size) : last;
    const isTooLong = isSkipping;
    isSkipping = false;
    release();
    if (isTooLong) receiver.broken("too-long");
    else emit(line);
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
    else receiver.empty?.();
  };
  return {
    push: (chunk) => {
      let start = 0;
      for (;;) {
        const found = chunk.indexOf(LINE_FEED, start);
        if (found < 0) break;
        finish(chunk.subarray(start, found));
        start = found + 1;
      }
      // Copied: the source may use the chunk's memory again before the line ends.
      hold(start === 0 ? chunk : chunk.subarray(start));
    },
    end: () => finish(new Uint8Array(0)),
  };
}
