import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { OutputError } from "../../output/output-error.js";
import { isObject, type JsonObject } from "../../schema/json-schema/json.js";

/** A request to a codec, which answers with an object of the same id. */
export interface CodecRequest {
  readonly id: number;
  readonly profile: string;
  readonly definition: string;
  readonly input: string;
}

/** How many requests are sent ahead of the answers. */
const MOST_AHEAD = 512;

/** How long a codec may take for an answer. */
const TIMEOUT_MS = 60_000;

/**
 * Starts a codec and gives it requests, one JSON object on each line. Its answers may come in any order.
 *
 * @param onAnswer called for every line that the codec prints, as long as it answers requests
 * @throws OutputError when the command cannot be started, ends early, prints something else, or
 *   does not answer in time
 */
export async function askCodec(
  command: readonly string[],
  requests: Iterable<CodecRequest>,
  onAnswer: (id: number, answer: JsonObject) => void,
): Promise<void> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const fail = (problem: string): OutputError => new OutputError(`${program} ${problem}.`);
  const failed = new Promise<never>((_, reject) => {
    child.on("error", ({ message }) => reject(fail(`cannot be started: ${message}`)));
    // Its end is reported below; a pipe that it has closed is not another problem.
    child.stdin.on("error", () => {});
  });
  try {
    await Promise.race([failed, once(child, "spawn")]);
    const open = new Set<number>();
    const sent = requests[Symbol.iterator]();
    const send = (): void => {
      while (open.size < MOST_AHEAD) {
        const next = sent.next();
        if (next.done) return void child.stdin.end();
        open.add(next.value.id);
        child.stdin.write(`${JSON.stringify(next.value)}\n`);
      }
    };
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
    send();
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
      const answer = parse(line);
      const id = answer?.["id"];
      if (answer === undefined || typeof id !== "number" || !open.delete(id))
        throw fail(`printed a line that answers no request: ${line.slice(0, 100)}`);
      onAnswer(id, answer);
      timer.refresh();
      send();
    }
    clearTimeout(timer);
    if (open.size > 0)
      throw fail(`ended, or was ended after a minute, with ${open.size} requests open`);
  } finally {
    child.kill();
  }
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
