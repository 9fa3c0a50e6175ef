import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Operation } from "../../../emit/corpus/answer.js";
import type { CorpusCase } from "../../../emit/corpus/cases.js";
import { OutputError } from "../../../output/output-error.js";
import { isObject, type JsonObject } from "../../../schema/json-schema/json.js";
import { onShutdown } from "../../../run/cleanup.js";
import { startError } from "../../../run/start-error.js";

/** A request to a codec, which answers with an object of the same id. */
export interface CodecRequest {
  readonly id: number;
  readonly op: Operation;
  readonly profile: string;
  readonly definition: string;
  readonly input: string;
}

/** A request and its case. */
export interface CodecQuestion {
  readonly request: CodecRequest;
  readonly one: CorpusCase;
}

/** How many requests are sent ahead of the answers. */
const MOST_AHEAD = 512;

/** How long a process that has closed its output may take to end. */
const END_MS = 2000;

/**
 * Starts a codec and gives it requests, one JSON object on each line. Its answers may come in any order.
 *
 * @param timeoutMs how long the codec may take for an answer
 * @param onAnswer called for every answer
 * @throws OutputError when the command cannot be started, ends early, prints something else, or
 *   does not answer in time; it names the first case without an answer
 */
export async function askCodec(
  command: readonly string[],
  questions: Iterable<CodecQuestion>,
  timeoutMs: number,
  onAnswer: (one: CorpusCase, answer: JsonObject) => void,
): Promise<void> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const forget = onShutdown(() => void child.kill());
  const fail = (problem: string): OutputError => new OutputError(`${program} ${problem}.`);
  const failed = new Promise<never>((_, reject) => {
    child.on("error", (error) => reject(startError(program, error)));
    // Its end is reported below; a pipe that it has closed is not another problem.
    child.stdin.on("error", () => {});
  });
  const ended = once(child, "exit").then(([code, signal]) => describeEnd(code, signal));
  ended.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  try {
    await Promise.race([failed, once(child, "spawn")]);
    const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
    timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
      // A process that it has started may keep the pipe open.
      lines.close();
    }, timeoutMs);
    const open = new Map<number, CorpusCase>();
    const sent = questions[Symbol.iterator]();
    const send = (): void => {
      while (open.size < MOST_AHEAD) {
        const next = sent.next();
        if (next.done) return void child.stdin.end();
        const { request, one } = next.value;
        open.set(request.id, one);
        child.stdin.write(`${JSON.stringify(request)}\n`);
      }
    };
    send();
    for await (const line of lines) {
      const answer = parse(line);
      if (answer === undefined)
        throw fail(`printed a line that is not a JSON object: ${cut(line)}; ${describeOpen(open)}`);
      const { id } = answer;
      const one = typeof id === "number" ? open.get(id) : undefined;
      if (one === undefined)
        throw fail(
          `printed a line that answers no open request: ${cut(line)}; ${describeOpen(open)}`,
        );
      open.delete(id as number);
      onAnswer(one, answer);
      timer.refresh();
      send();
    }
    if (open.size === 0) return;
    const end = isLate
      ? `gave no answer for ${timeoutMs / 1000} seconds`
      : await Promise.race([ended, delay(END_MS, "closed its standard output")]);
    throw fail(`${end}; ${describeOpen(open)}`);
  } finally {
    clearTimeout(timer);
    forget();
    child.kill();
    child.stdout.destroy();
  }
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exited with code ${code}` : `was ended by the signal ${signal}`;
}

/** Names the first case that has no answer, which is the one that a codec that answers in order fails at. */
function describeOpen(open: ReadonlyMap<number, CorpusCase>): string {
  const [first] = open.values();
  if (first === undefined) return "no request was open";
  const { definition, id, input } = first;
  return `the first of ${open.size} cases without an answer is ${definition}, ${cut(id)}, with the input ${cut(input)}`;
}

/** The length to which lines and inputs are cut. */
const MOST_SHOWN = 200;

function cut(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
