import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { printAnnotations, type Annotation } from "./print/annotations.js";

/** The standard streams of a process, or replacements. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

export interface Terminal {
  readonly streams: Streams;
  /** Prints a line to standard output. */
  readonly writeOut: (line: string) => void;
  /** Prints a line to standard error. */
  readonly writeErr: (line: string) => void;
  /** Writes text to standard output and waits until that has room, or is closed. */
  readonly drain: (text: string) => Promise<void>;
  /** Prints annotations in a workflow of GitHub, which reads them from standard output. */
  readonly annotate: (annotations: readonly Annotation[]) => void;
}

export function createTerminal(streams: Streams): Terminal {
  const { stdout, stderr } = streams;
  const writeOut = (line: string): void => void stdout.write(`${line}\n`);
  return {
    streams,
    writeOut,
    writeErr: (line) => void stderr.write(`${line}\n`),
    drain: async (text) => {
      if (text === "" || stdout.destroyed || stdout.write(text)) return;
      const aborted = new AbortController();
      const { signal } = aborted;
      const events = ["drain", "close"].map((event) => once(stdout, event, { signal }));
      await Promise.race(events).catch(() => {});
      aborted.abort();
    },
    annotate: (annotations) => {
      if (process.env["GITHUB_ACTIONS"] !== "true") return;
      printAnnotations(annotations).forEach(writeOut);
    },
  };
}
