import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { printable } from "../schema/controls.js";
import { printAnnotations, type Annotation } from "./annotations.js";
import { fromRoot } from "./repository.js";
import { colors, errorColors } from "./colors.js";

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

/** Creates a terminal that prints what a schema or a peer may have sent without its control characters. */
export function createTerminal(streams: Streams): Terminal {
  const { stdout, stderr } = streams;
  const print = (text: string): boolean => stdout.write(printable(text, colors.isColorSupported));
  const writeOut = (line: string): void => void print(`${line}\n`);
  return {
    streams,
    writeOut,
    writeErr: (line) => void stderr.write(printable(`${line}\n`, errorColors.isColorSupported)),
    drain: async (text) => {
      if (text === "" || stdout.destroyed || print(text)) return;
      const aborted = new AbortController();
      const { signal } = aborted;
      const events = ["drain", "close"].map((event) => once(stdout, event, { signal }));
      await Promise.race(events).catch(() => {});
      aborted.abort();
    },
    annotate: (annotations) => {
      if (process.env["GITHUB_ACTIONS"] !== "true") return;
      printAnnotations(annotations, fromRoot).forEach(writeOut);
    },
  };
}
