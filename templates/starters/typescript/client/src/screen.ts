import { createInterface } from "node:readline";

/** The terminal that the user sits at. */
export interface Screen {
  /** Writes text as it comes, in the middle of a line if need be. */
  write(text: string): void;
  /** Writes a line of its own. */
  line(text: string): void;
  /**
   * Asks for a line. Questions wait for each other.
   *
   * @returns nothing when the input has ended
   * @throws the signal's reason when it is aborted first
   */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Takes over Ctrl-C, which otherwise ends the input. */
  onInterrupt(handler: () => void): { end(): void };
  close(): void;
}

/** Takes standard input and output: a terminal, or pipes when it is scripted. */
export function createScreen(): Screen {
  const { stdin, stdout } = process;
  const reader = createInterface({ input: stdin, output: stdout, terminal: stdin.isTTY === true });
  const lines: string[] = [];
  let isOpen = true;
  let isLineStart = true;
  let wake = (): void => {};
  let lastQuestion: Promise<unknown> = Promise.resolve();
  let interrupted: () => void = () => reader.close();

  reader.on("line", (line) => {
    lines.push(line);
    wake();
  });
  reader.on("close", () => {
    isOpen = false;
    wake();
  });
  // A terminal in raw mode gives Ctrl-C to its reader; otherwise the process gets a signal.
  const onSignal = (): void => interrupted();
  reader.on("SIGINT", onSignal);
  process.on("SIGINT", onSignal);

  const write = (text: string): void => {
    const shown = withoutControls(text);
    if (shown === "") return;
    stdout.write(shown);
    isLineStart = shown.endsWith("\n");
  };
  const startLine = (): void => {
    if (!isLineStart) write("\n");
  };
  const readLine = async (question: string, signal?: AbortSignal): Promise<string | undefined> => {
    signal?.throwIfAborted();
    // Input typed before the question is discarded.
    if (stdin.isTTY) lines.length = 0;
    startLine();
    if (stdin.isTTY && isOpen) {
      reader.setPrompt(question);
      reader.prompt();
    } else write(question);
    const onAbort = (): void => wake();
    signal?.addEventListener("abort", onAbort);
    try {
      while (lines.length === 0 && isOpen && !signal?.aborted) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
    isLineStart = stdin.isTTY && lines.length > 0;
    startLine();
    signal?.throwIfAborted();
    return lines.shift();
  };

  return {
    write,
    line: (text) => {
      startLine();
      write(`${text}\n`);
    },
    ask: (question, signal) => {
      const answer = lastQuestion.then(() => readLine(question, signal));
      lastQuestion = answer.catch(() => {});
      return answer;
    },
    onInterrupt: (handler) => {
      const before = interrupted;
      interrupted = handler;
      return { end: () => (interrupted = before) };
    },
    close: () => {
      process.off("SIGINT", onSignal);
      reader.close();
    },
  };
}

/** Text of an agent must not move the cursor, ring the bell or set the window's title. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, "");
}
