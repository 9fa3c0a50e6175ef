/** The longest line, in UTF-16 units; longer lines are split. */
const LONGEST_PIECE = 64 * 1024;

/** Splits the standard error of a process into lines for people. */
export interface ErrorLines {
  push(chunk: Uint8Array): void;
  /** Ends the input; a last line without a line end counts. */
  end(): void;
}

/**
 * Creates a reader of text that may be malformed: invalid UTF-8 is replaced by U+FFFD, and
 * overlong lines are split.
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
  /** Passes on all complete pieces and returns the rest. */
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
