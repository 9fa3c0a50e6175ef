import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createServer, type Socket } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SubjectProcess } from "../../generators/tools/processes/subject-process.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/**
 * Starts testees by forks of one process, which has imported the package for all of them.
 *
 * @param command that of a testee in Python
 */
export async function forkTestees(command: readonly string[]): Promise<{
  readonly start: () => Promise<SubjectProcess>;
  readonly stop: () => void;
}> {
  const [python, ...program] = command;
  const path = join(temporaryFolder(), "testees");
  const events = new EventEmitter().setMaxListeners(0);
  const streams = new Map<string, Socket[]>();
  const server = createServer({ allowHalfOpen: true }, (socket) =>
    socket.once("readable", () => {
      const [name, pid, stream] = readLine(socket).split(" ") as [string, string, string];
      const own = streams.get(name) ?? [];
      streams.set(name, own);
      own[Number(stream)] = socket.on("end", () => socket.end());
      if (Object.keys(own).length === 3) events.emit(`${name} starts`, own, Number(pid));
    }),
  ).listen(path);
  await once(server, "listening");
  const forks = spawn(python!, [`${ROOT}test/behavior/testees/fork.py`, path, ...program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  createInterface(forks.stdout).on("line", (line) => {
    const [name, code] = line.split(" ") as [string, string];
    events.emit(`${name} ends`, Number(code));
  });
  let count = 0;
  const start = async (): Promise<SubjectProcess> => {
    const name = String(count++);
    const ended = once(events, `${name} ends`) as Promise<[number]>;
    const started = once(events, `${name} starts`) as Promise<[[Socket, Socket, Socket], number]>;
    forks.stdin.write(`${name}\n`);
    const [[stdin, stdout, stderr], pid] = await started;
    const program = Object.assign(new EventEmitter(), {
      ...{ stdin, stdout, stderr },
      kill: (signal: NodeJS.Signals) => kill(pid, signal),
    });
    void ended.then(([code]) => program.emit("exit", ...exitOf(code)));
    return new SubjectProcess(program, () => kill(-pid, "SIGKILL"));
  };
  const stop = (): void => {
    forks.stdin.end();
    server.close();
  };
  return { start, stop };
}

/** Reads the first line of a connection, and leaves the rest. */
function readLine(socket: Socket): string {
  const bytes = socket.read() as Buffer;
  const end = bytes.indexOf("\n");
  if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
  return bytes.subarray(0, end).toString();
}

/** Returns the code and the signal of an exit, whose number is negative for a signal. */
function exitOf(code: number): readonly [code: number | null, signal: string | null] {
  if (code >= 0) return [code, null];
  return [null, Object.entries(constants.signals).find(([, number]) => number === -code)![0]];
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
