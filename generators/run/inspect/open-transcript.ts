import { createReadStream, statSync } from "node:fs";
import { codeOf, OutputError } from "../../output/output-error.js";
import { displayPath, noSuchFile, usageError } from "../messages.js";

/** A transcript to read. */
export interface Transcript {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The name of the transcript in reports; `-` for standard input. */
  readonly name: string;
  /** In bytes; absent for streams. */
  readonly size?: number;
}

/**
 * Opens a transcript.
 *
 * @param path a file; `-` or undefined for standard input
 * @throws InputError when there is no transcript; reading throws OutputError when the file cannot be read
 */
export function openTranscript(
  path: string | undefined,
  stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean },
): Transcript {
  if (path === undefined || path === "-") {
    if (path === undefined && stdin.isTTY) {
      throw usageError("a transcript is required", "Name a file, or pipe one in.");
    }
    return { chunks: stdin, name: "-" };
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw noSuchFile(path);
  if (stat.isDirectory()) throw usageError(`${path} is a folder`, "Name a transcript in it.");
  const name = displayPath(path);
  return { chunks: readFile(path, name), name, ...(stat.isFile() && { size: stat.size }) };
}

async function* readFile(path: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const message = `${name} cannot be read (${codeOf(error)}). Check the disk and the permissions.`;
    throw new OutputError(message, { cause: error });
  }
}
