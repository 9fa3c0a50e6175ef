import { createReadStream, statSync, type Stats } from "node:fs";
import { codeOf, OutputError } from "../../output/output-error.js";
import { displayPath, noSuchFile, usageError } from "../../run/messages.js";

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
    return { chunks: asUtf8(stdin, "standard input"), name: "-" };
  }
  const stat = requireTranscript(path);
  const name = displayPath(path);
  return {
    chunks: asUtf8(readFile(path, name), name),
    name,
    ...(stat.isFile() && { size: stat.size }),
  };
}

/** @throws InputError for a path that does not exist, or is that of a folder */
export function requireTranscript(path: string): Stats {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw noSuchFile(path);
  if (stat.isDirectory()) throw usageError(`${path} is a folder`, "Name a transcript in it.");
  return stat;
}

/**
 * Gives the bytes of a text as UTF-8, where its first ones say that it is UTF-16, as the shells of
 * Windows write it.
 *
 * @throws InputError for compressed bytes
 */
async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let convert: ((chunk: Uint8Array) => Uint8Array) | undefined;
  for await (const chunk of chunks) {
    convert ??= converterFor(chunk, name);
    yield convert(chunk);
  }
}

function converterFor(
  [first, second]: Uint8Array,
  name: string,
): (chunk: Uint8Array) => Uint8Array {
  if (first === 0x1f && second === 0x8b)
    throw usageError(`${name} is compressed`, "Pipe it in: gunzip -c file | acp-codegen inspect");
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : undefined;
  if (encoding === undefined) return (chunk) => chunk;
  const decoder = new TextDecoder(encoding);
  return (chunk) => Buffer.from(decoder.decode(chunk, { stream: true }));
}

async function* readFile(path: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const message = `${name} cannot be read (${codeOf(error)}). Check the disk and the permissions.`;
    throw new OutputError(message, { cause: error });
  }
}
