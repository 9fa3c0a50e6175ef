import { constants } from "node:os";
import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { forward } from "../tools/record/forward.js";
import { loadProcessModule } from "../tools/processes/process-module.js";
import { newRecording, pruneRecordings } from "../tools/record/recordings.js";
import { openRecording } from "../tools/record/recording.js";
import type { Redactor } from "../tools/inspect/redact.js";
import { errorMessage } from "../run/messages.js";
import { endBySignal, forwardSignals } from "./signals.js";

export interface RecordFlags {
  /** The file to append to; a new one in the folder of the recordings when absent. */
  readonly record?: string;
  readonly redact?: boolean;
  readonly quiet?: boolean;
}

/** The file that takes a recording when there is no place for one: the program runs nevertheless. */
const NOWHERE = process.platform === "win32" ? "\\\\.\\nul" : "/dev/null";

/**
 * Runs a program in the place of this process, and records what passes.
 *
 * @returns its exit code
 * @throws OutputError when it cannot be started
 */
export async function record(
  command: readonly [string, ...string[]],
  { record: given, redact = false, quiet = false }: RecordFlags,
): Promise<number> {
  const errors = openOutput(process.stderr, 2);
  const print = (text: string): void => void errors.write(`acp-codegen: ${text}\n`);
  let path = given;
  try {
    path ??= newRecording(command[0]);
  } catch (error) {
    print(`nothing is recorded: ${errorMessage(error)}`);
  }
  const modules = await loadProcessModule();
  const recording = openRecording(path ?? NOWHERE, modules, {
    command,
    isNew: given === undefined && path !== undefined,
    redactor: redact ? await createRedactor() : undefined,
    onFailure: (error) => print(`the recording has ended: ${error.message}`),
  });
  if (path !== undefined && !quiet) print(`recording to ${path}`);
  const streams = { input: process.stdin, output: openOutput(process.stdout, 1), errors };
  const { signal: send, ended } = await forward(command, streams, recording, modules);
  forwardSignals(send);
  if (given === undefined && path !== undefined) setTimeout(prune, 1000).unref();
  const { code, signal } = await ended;
  if (signal !== null) endBySignal(signal);
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Loads the schema, which other recordings do without. */
async function createRedactor(): Promise<Redactor> {
  const [{ Redactor }, { positionsOfVersions }] = await Promise.all([
    import("../tools/inspect/redact.js"),
    import("../tools/inspect/positions.js"),
  ]);
  return new Redactor(positionsOfVersions());
}

function prune(): void {
  try {
    pruneRecordings();
  } catch {
    // The next recording tries again.
  }
}

/**
 * Opens an output that does not block this process when it is a pipe, as the streams of Node do on
 * most platforms: a reader that waits would stop the other direction too.
 */
function openOutput(stream: Writable, descriptor: number): Writable {
  if (process.platform === "win32") return stream;
  const stat = fstatSync(descriptor);
  if (!stat.isFIFO() && !stat.isSocket()) return stream;
  return new Socket({ fd: descriptor, readable: false, writable: true });
}
