import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type { Script, Subject } from "../../generators/index.js";
import { SubjectProcess } from "../../generators/tools/processes/subject-process.js";
import { ROOT } from "../support/paths.js";

/** The texts of steps and prompts that need a process, which ends, gets signals or prints. */
const OF_PROCESSES = /"(?:close|expectExit|output|signal)":|"print /;

/** Returns whether a script can be played with a testee in this process. */
export function isPlayableHere({ steps }: Script): boolean {
  return !OF_PROCESSES.test(JSON.stringify(steps));
}

/** Starts a TypeScript testee in this process, without the time that a process takes to start. */
export async function startHere(subject: Subject, version: number): Promise<SubjectProcess> {
  const { byteTransport } = await import("acp-bindings/stdio");
  const { serve } = (await import(`${ROOT}test/behavior/testees/${subject}.mjs`)) as Testee;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const program = Object.assign(new EventEmitter(), { stdin, stdout, stderr, kill: () => {} });
  const exit = (code: number): void => void program.emit("exit", code, null);
  serve(version, byteTransport(stdin, stdout)).then(
    () => exit(0),
    (error: Error) => {
      stderr.write(error.stack);
      exit(1);
    },
  );
  return new SubjectProcess(program, () => {
    stdin.destroy();
    exit(1);
  });
}

interface Testee {
  serve(version: number, transport: unknown): Promise<void>;
}
