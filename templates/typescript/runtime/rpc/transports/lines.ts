/** The default limit for the length of a line: 32 MiB. */
export const DEFAULT_LINE_LIMIT: number = 32 * 1024 * 1024;

/** Receives the lines of a line reader. */
export interface LineReceiver {
  /** Receives one decoded line, without its line end and byte order mark. */
  line(text: string): void;
  /** Receives a line that is empty or blank, which carries no message but counts in line numbers. */
  empty?(): void;
  /**
   * Receives the reason why a line is unusable; reading continues with the next line.
   *
   * @param start the beginning of the line, in which invalid UTF-8 is replaced by U+FFFD
   */
  broken(reason: "not-utf8" | "too-long", start: string): void;
}

/** Splits a stream of bytes into lines. */
export interface LineReader {
  push(chunk: Uint8Array): void;
  /** Ends the input; a last line without a line end counts. */
  end(): void;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

/** The length of the beginning of an unusable line that is reported, in bytes. */
const START_SIZE = 512;

/** The buffer size that is kept for the next line whatever its length, in bytes. */
const KEPT_SIZE = 64 * 1024;

/**
 * Creates a reader of newline-delimited UTF-8 text. A byte order mark and a carriage return
 * before the line feed are dropped; invalid UTF-8 is reported, never replaced.
 *
 * @param limit the longest line in bytes, without its line end; a longer line is skipped as it
 *   arrives, without buffering
 */
export function createLineReader(
  receiver: LineReceiver,
  limit: number = DEFAULT_LINE_LIMIT,
): LineReader {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // The incomplete last line, in one growing buffer rather than a list of chunks: a peer that
  // sends single bytes would make each of them an object.
  let held = new Uint8Array(0);
  let size = 0;
  /** The beginning of the line that is being skipped. */
  let skipped: string | undefined;

  const hold = (part: Uint8Array): void => {
    if (skipped !== undefined || part.length === 0) return;
    // One byte more than the limit, which may be the carriage return of the line end.
    if (size + part.length > limit + 1) {
      const start = new Uint8Array(Math.min(size + part.length, START_SIZE));
      start.set(held.subarray(0, Math.min(size, start.length)));
      if (size < start.length) start.set(part.subarray(0, start.length - size), size);
      skipped = startOf(start);
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
    // Consecutive long lines share one buffer; a shorter line releases it.
    if (held.length > KEPT_SIZE && size < held.length / 2) held = new Uint8Array(0);
    size = 0;
  };
  const finish = (last: Uint8Array): void => {
    if (size > 0) hold(last);
    const line = size > 0 ? held.subarray(0, size) : last;
    const start = skipped;
    skipped = undefined;
    release();
    if (start !== undefined) receiver.broken("too-long", start);
    else emit(line);
  };
  const emit = (bytes: Uint8Array): void => {
    const end = bytes[bytes.length - 1] === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    if (end > limit) return receiver.broken("too-long", startOf(bytes));
    let text: string;
    try {
      text = decoder.decode(end === bytes.length ? bytes : bytes.subarray(0, end));
    } catch {
      return receiver.broken("not-utf8", startOf(bytes));
    }
    if (text.charCodeAt(0) > SPACE || text.trim() !== "") receiver.line(text);
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
      // Copied, since the source may reuse the chunk's memory before the line ends.
      hold(start === 0 ? chunk : chunk.subarray(start));
    },
    end: () => finish(new Uint8Array(0)),
  };
}

function startOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, START_SIZE));
}
