import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { startError } from "../../run/start-error.js";
import type { ProcessModule } from "../processes/process-module.js";
import type { Channel, Recording } from "./recording.js";
import { programOf } from "../processes/remote-program.js";

/** How long the output of an ended program may be silent, while another program holds it open, in milliseconds. */
const SILENCE_MS = 500;

/** The streams of this process, which stand for those of the program. */
export interface OwnStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
}

/** The end of a program, as Node says it: one of both is not null. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program whose bytes are forwarded. */
export interface Forwarded {
  /** Passes a signal on. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves when the program has ended and everything that it wrote is forwarded and recorded. */
  readonly ended: Promise<ProgramEnd>;
}

/**
 * Starts a program and stands between it and the one that started this process, as if it were not
 * there: bytes, ends and back-pressure pass in both directions, and the recording sees them after
 * they were forwarded. The program stays in the group of this process, so that a signal for the
 * group reaches both.
 *
 * @throws OutputError when the program cannot be started
 */
export async function forward(
  command: readonly [string, ...string[]],
  { input, output, errors }: OwnStreams,
  recording: Recording,
  { startProcess }: Pick<ProcessModule, "startProcess">,
): Promise<Forwarded> {
  const child = await start(command, startProcess);
  let isActive = false;
  const connect = (channel: Channel, from: Readable, to: Writable): void => {
    // An end that is closed for writing closes the one that is read, so that its writer learns it.
    to.on("error", () => from.destroy());
    to.on("close", () => from.destroy());
    from.on("error", () => to.end());
    from.pipe(to);
    from.on("data", (chunk: Buffer) => {
      isActive = true;
      recording.bytes(channel, chunk);
    });
  };
  connect("input", input, child.stdin!);
  connect("output", child.stdout!, output);
  connect("errors", child.stderr!, errors);
  input.once("end", () => recording.event({ from: "client", kind: "end" }));
  child.stdout!.once("end", () => recording.event({ from: "agent", kind: "end" }));

  const finish = async (): Promise<ProgramEnd> => {
    const closed = once(child, "close").then(() => true);
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // A descendant may hold the outputs open for ever: the end of the program counts.
    do isActive = false;
    while (!(await Promise.race([closed, wait(SILENCE_MS, false, { ref: false })])) && isActive);
    for (const stream of [child.stdout!, child.stderr!]) stream.destroy();
    input.unpipe();
    input.destroy();
    recording.event({ from: "agent", kind: "exit", ...(signal === null ? { code } : { signal }) });
    await Promise.all([output, errors].map(flush));
    await recording.close();
    return { code, signal };
  };
  return {
    signal: (name) => {
      recording.event({ from: "client", kind: "signal", signal: name });
      child.kill(name);
    },
    ended: finish(),
  };
}

async function start(
  command: readonly [string, ...string[]],
  startProcess: ProcessModule["startProcess"],
): Promise<ChildProcess> {
  const [program, ...args] = programOf(command);
  try {
    const child = startProcess(program!, args, {}, { stdio: "pipe" });
    if (child.pid === undefined) await once(child, "spawn");
    return child;
  } catch (error) {
    throw startError(command[0], error as Error);
  }
}

/** Ends an output and waits until it has passed everything on, or nobody reads it any more. */
async function flush(output: Writable): Promise<void> {
  output.end();
  await finished(output).catch(() => {});
}
