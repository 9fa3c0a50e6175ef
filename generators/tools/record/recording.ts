import { createWriteStream } from "node:fs";
import { basename } from "node:path";
import { finished } from "node:stream/promises";
import type { Json } from "../../schema/json-schema/json.js";
import { toolVersion } from "../../run/installation.js";
import type { Recorded, Side } from "../inspect/inspector-api.js";
import type { LineReader, ProcessModule } from "../processes/process-module.js";
import { maskText, type Redactor } from "../inspect/redact.js";

/** The first member of the first line of a recording, with the version of the format. */
const FORMAT = { recording: 1 };

/** How much may wait for the disk, in characters; what comes then is lost, but is still forwarded. */
const MOST_UNWRITTEN = 64 * 1024 * 1024;

/** The streams of a program: its input is written by the client, the others by the agent. */
export type Channel = "input" | "output" | "errors";

/** Something that happened besides the bytes. */
export type RecordedEvent =
  | { readonly from: Side; readonly kind: "end" }
  | { readonly from: "client"; readonly kind: "signal"; readonly signal: string }
  | { readonly from: "agent"; readonly kind: "exit"; readonly code: number | null }
  | { readonly from: "agent"; readonly kind: "exit"; readonly signal: string };

/** The file that gets what passes; writing to it never waits and never fails. */
export interface Recording {
  /** Takes bytes; their lines are recorded after this turn of the event loop. */
  readonly bytes: (channel: Channel, chunk: Uint8Array) => void;
  readonly event: (event: RecordedEvent) => void;
  /** Writes the last lines; resolves when the file has them, or cannot get them. */
  readonly close: () => Promise<void>;
}

export interface RecordingOptions {
  /** The program and its arguments, for the header. */
  readonly command: readonly string[];
  /** Whether there must not be a file of that name, nor a link to one. */
  readonly isNew?: boolean;
  /** Masks the messages; they are recorded as they are without it. */
  readonly redactor?: Redactor | undefined;
  /** Called once when the file cannot be written any more. */
  readonly onFailure: (error: Error) => void;
}

interface Taken {
  readonly time: number;
  readonly channel?: Channel;
  readonly chunk?: Uint8Array;
  readonly event?: RecordedEvent;
}

/**
 * Begins a recording, which only the user can read, at the end of a file: a line for each message,
 * with its time and its sender. A message is recorded as it is spelled.
 */
export function openRecording(
  path: string,
  { createLineReader }: Pick<ProcessModule, "createLineReader">,
  { command, isNew = false, redactor, onFailure }: RecordingOptions,
): Recording {
  const mask = (text: string): string => (redactor === undefined ? text : maskText(text));
  const file = createWriteStream(path, { flags: isNew ? "ax" : "a", mode: 0o600 });
  let hasFailed = false;
  file.on("error", (error) => {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  });
  let taken: Taken[] = [];
  let now = Date.now();
  let lines = "";
  let lost = 0;

  const add = (record: object): void => {
    lines += `{"time":"${new Date(now).toISOString()}",${JSON.stringify(record).slice(1)}\n`;
  };
  const message = (from: Side, text: string): void => {
    const value = parse(text);
    // As it was written: numbers, duplicate members and blanks are what a finding may be about.
    let kept = value === undefined ? undefined : text;
    if (value !== undefined && redactor !== undefined)
      kept = printRedacted(redactor, { message: value, from });
    if (kept === undefined) add({ from, text: mask(text) });
    else lines += `{"time":"${new Date(now).toISOString()}","from":"${from}","message":${kept}}\n`;
  };
  const readMessages = (from: Side): LineReader =>
    createLineReader({
      line: (text) => message(from, text),
      broken: (reason, start) => add({ from, text: mask(start), reason }),
    });
  const error = (given: string): void => {
    add({ from: "agent", kind: "stderr", text: mask(given) });
  };
  const readers: { readonly [name in Channel]: LineReader } = {
    input: readMessages("client"),
    output: readMessages("agent"),
    errors: createLineReader({ line: error, broken: (_, start) => error(start) }),
  };
  const flush = (): void => {
    const items = taken;
    taken = [];
    if (items.length === 0 || hasFailed) return;
    for (const { time, channel, chunk, event } of items) {
      now = time;
      if (channel !== undefined && chunk !== undefined) readers[channel].push(chunk);
      if (event !== undefined) {
        if (event.kind === "end") readers[event.from === "agent" ? "output" : "input"].end();
        if (event.kind === "exit") readers.errors.end();
        add(event);
      }
    }
    if (lost > 0 && file.writableLength < MOST_UNWRITTEN) {
      add({ kind: "lost", text: `the disk was too slow for ${lost} pieces` });
      lost = 0;
    }
    if (file.writableLength < MOST_UNWRITTEN) file.write(lines);
    else lost += 1;
    lines = "";
  };
  const take = (item: Omit<Taken, "time">): void => {
    if (taken.push({ time: Date.now(), ...item }) === 1) setImmediate(flush);
  };

  const started = new Date(now).toISOString();
  file.write(
    `${JSON.stringify({
      ...FORMAT,
      about: redactor
        ? "a conversation of the Agent Client Protocol, with masked texts"
        : "a conversation of the Agent Client Protocol; it may contain secrets: prompts, files, tokens",
      by: `acp-codegen ${toolVersion()}`,
      started,
      command: redactor ? [basename(command[0]!)] : command,
    })}\n`,
  );
  return {
    bytes: (channel, chunk) => take({ channel, chunk }),
    event: (event) => take({ event }),
    close: async () => {
      flush();
      file.end();
      await finished(file).catch(() => {});
    },
  };
}

/** Returns the text of a masked message; undefined for one that is nested too deeply. */
function printRedacted(redactor: Redactor, recorded: Recorded): string | undefined {
  try {
    return JSON.stringify(redactor.message(recorded));
  } catch {
    return undefined;
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
