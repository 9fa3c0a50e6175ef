import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Channel, ChannelReceiver } from "./channel.js";
import { ErrorCodes } from "./errors.js";
import { createLineReader, DEFAULT_LINE_LIMIT } from "./lines.js";

/** How messages travel over a pair of byte streams. */
export interface StdioOptions {
  /** The longest line that is accepted, in bytes; 32 MiB when absent. */
  readonly lineLimit?: number;
}

/**
 * The channel of a process that was started by its peer: newline-delimited JSON
 * on standard input and output. Nothing else may write to standard output then.
 */
export function stdio(options: StdioOptions = {}): Channel {
  return byteChannel(process.stdin, process.stdout, options);
}

/** An agent that runs as a child process. */
export interface AgentProcess {
  readonly channel: Channel;
  /** Resolves with the exit code, or with the name of the signal that ended the process. */
  readonly exited: Promise<number | string>;
  /** Asks the process to end. */
  kill(): void;
}

export interface SpawnOptions extends StdioOptions {
  readonly cwd?: string;
  /** The whole environment of the process; that of this process when absent. */
  readonly env?: { readonly [name: string]: string | undefined };
}

/** Starts an agent and connects to its standard input and output; its standard error goes to ours. */
export function spawnAgent(
  command: string,
  args: readonly string[] = [],
  { cwd, env, ...options }: SpawnOptions = {},
): AgentProcess {
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "inherit"],
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  });
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  exited.catch((error: unknown) => child.stdout.destroy(error as Error));
  return {
    channel: byteChannel(child.stdout, child.stdin, options),
    exited,
    kill: () => void child.kill(),
  };
}

/** How long the input is still read after the output has failed, in milliseconds. */
const LAST_WORDS = 1000;

/** Makes a channel from a pair of Node.js byte streams. */
export function byteChannel(
  input: Readable,
  output: Writable,
  { lineLimit }: StdioOptions = {},
): Channel {
  // A stream may fail before the channel is started; that is looked at then.
  input.on("error", () => {});
  output.on("error", () => {});

  const start = (receiver: ChannelReceiver): void => {
    const reader = createLineReader(
      {
        line: (text) => {
          let value: unknown;
          try {
            value = JSON.parse(text);
          } catch {
            receiver.invalid(ErrorCodes.ParseError, "Parse error");
            return;
          }
          receiver.message(value);
        },
        broken: (reason) =>
          reason === "not-utf8"
            ? receiver.invalid(ErrorCodes.ParseError, "Parse error")
            : receiver.invalid(ErrorCodes.InvalidRequest, "Line too long"),
      },
      lineLimit ?? DEFAULT_LINE_LIMIT,
    );
    let open = true;
    const close = (error?: unknown): void => {
      if (open) receiver.close(error);
      open = false;
    };
    input.on("data", (chunk: Buffer) => reader.push(chunk));
    input.once("end", () => reader.end());
    input.on("error", close);
    // A turn later: what came last may be answered in this one.
    const ended = (): void => void setImmediate(() => close(input.errored ?? undefined));
    if (input.closed) ended();
    else input.once("end", ended).once("close", ended);
    // A peer that is gone ends the input, too: what it said before is read first.
    const failed = (error: Error): void => void setTimeout(close, LAST_WORDS, error).unref();
    if (output.errored) failed(output.errored);
    else output.on("error", failed);
  };

  let drained: Promise<void> | undefined;
  const waitForDrain = (): Promise<void> =>
    (drained ??= new Promise((resolve) => {
      const done = (): void => {
        output.off("drain", done);
        output.off("close", done);
        drained = undefined;
        resolve();
      };
      output.on("drain", done);
      output.on("close", done);
    }));
  return {
    start,
    send: (message) => {
      const line = `${JSON.stringify(message)}\n`;
      if (output.destroyed || output.writableEnded)
        return Promise.reject(new Error("the output is closed"));
      return output.write(line) ? Promise.resolve() : waitForDrain();
    },
    close: () => {
      output.end();
      input.destroy();
    },
  };
}
