/** A longer line is given in pieces of this many UTF-16 units. */
const LONGEST_PIECE = 64 * 1024;

/** Turns what a process writes to its standard error into lines for people. */
export interface ErrorLines {
  push(chunk: Uint8Array): void;
  /** The bytes have ended; a last line without an end is given, too. */
  end(): void;
}

/**
 * Makes a reader of text that nobody promised to be well formed: invalid UTF-8
 * becomes U+FFFD, and a line that does not end is given in pieces.
 */
export function createErrorLines(give: (line: string) => void): ErrorLines {
  const decoder = new TextDecoder();
  let rest = "";
  const add = (text: string): void => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) give(cutInPieces(line).replace(/\r$/, ""));
    rest = cutInPieces(rest);
  };
  /** Gives all pieces but the last one, which it returns. */
  const cutInPieces = (line: string): string => {
    let start = 0;
    while (line.length - start > LONGEST_PIECE) {
      let end = start + LONGEST_PIECE;
      if (isHighSurrogate(line.charCodeAt(end - 1))) end--;
      give(line.slice(start, end));
      start = end;
    }
    return line.slice(start);
  };
  return {
    push: (chunk) => add(decoder.decode(chunk, { stream: true })),
    end: () => {
      add(decoder.decode());
      if (rest !== "") give(rest);
      rest = "";
    },
  };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
