import { spawn } from "node:child_process";
import { once } from "node:events";
import { Transform } from "node:stream";
import { fileURLToPath } from "node:url";

export type Side = "client" | "agent";

/** One line that one side wrote. */
export interface Entry {
  readonly from: Side;
  readonly line: string;
}

/** A process on the other side, and every line of both directions. */
export interface RecordedPeer {
  /** What the peer writes. */
  readonly input: Transform;
  /** What the peer reads. */
  readonly output: Transform;
  readonly transcript: readonly Entry[];
  /** Resolves with the exit code and what was printed on standard error. */
  readonly exited: Promise<{ readonly code: number | null; readonly errors: string }>;
}

/** Starts an agent from `peers/` and listens in on its pipes, on the level of bytes. */
export function startAgent(script: string): RecordedPeer {
  const path = fileURLToPath(new URL(`peers/${script}`, import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ["pipe", "pipe", "pipe"] });
  const transcript: Entry[] = [];
  const input = tap("agent", transcript);
  const output = tap("client", transcript);
  child.stdout.pipe(input);
  output.pipe(child.stdin);
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "close").then(([code]) => ({ code: code as number | null, errors }));
  return { input, output, transcript, exited };
}

/** Passes bytes on as they come and notes each whole line. */
function tap(from: Side, transcript: Entry[]): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const bytes = Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        transcript.push({ from, line: bytes.toString("utf8", start, end) });
        start = end + 1;
      }
      rest = bytes.subarray(start);
      done(null, chunk);
    },
  });
}
