import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "../support/paths.js";
import type { Conversation } from "./conversation.js";
import { generate } from "./generate.js";
import { readLog, type Event } from "./log.js";
import { check, type Fault } from "./model.js";
import { shrink } from "./shrink.js";
import { Talk } from "./talk.js";

/** A program that plays conversations: each is a line of its input, and its log a line of its output. */
interface Program {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
}

/** The programs of a language, one per version, or one for both. */
export class Driver {
  readonly #commandOf: (version: 1 | 2) => readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #hasOnlyBytes: boolean;
  readonly #programs = new Map<number, Program>();

  /** @param hasOnlyBytes whether bytes carry all messages */
  constructor(
    commandOf: (version: 1 | 2) => readonly string[],
    env: NodeJS.ProcessEnv = {},
    hasOnlyBytes = false,
  ) {
    this.#commandOf = commandOf;
    this.#env = { ...process.env, ...env };
    this.#hasOnlyBytes = hasOnlyBytes;
  }

  /** Returns a conversation as the driver plays it. */
  adapt({ over, ...conversation }: Conversation): Conversation {
    return over === undefined || this.#hasOnlyBytes ? conversation : { ...conversation, over };
  }

  /** Plays a conversation and returns its log. */
  async play(conversation: Conversation): Promise<Event[]> {
    const { version, seed } = conversation;
    const program = this.#programs.get(version) ?? this.#start(version);
    program.child.stdin!.write(`${JSON.stringify(conversation)}\n`);
    const { value, done } = await program.lines.next();
    if (done === true) throw new Error(`the driver ended at seed ${seed}`);
    return readLog(value);
  }

  /** Plays a conversation and returns the rules that it breaks. */
  async check(given: Conversation): Promise<Fault[]> {
    const conversation = this.adapt(given);
    return check(new Talk(conversation, await this.play(conversation)));
  }

  stop(): void {
    for (const { child } of this.#programs.values()) child.kill();
  }

  #start(version: 1 | 2): Program {
    const [command, ...args] = this.#commandOf(version);
    const child = spawn(command!, args, {
      cwd: ROOT,
      stdio: ["pipe", "pipe", "inherit"],
      env: this.#env,
    });
    // The end of its output says that it has died.
    child.stdin.on("error", () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const program = { child, lines };
    this.#programs.set(version, program);
    return program;
  }
}

/** A conversation that has failed once, smaller, with the rule that it broke. */
interface Found {
  readonly rule: string;
  readonly conversation: Conversation;
}

const FOUND = readFileSync(join(ROOT, "test/simulation/found.ndjson"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Found);

/**
 * Plays all conversations that have failed once, then those of the seeds from 1 on, and throws an
 * error for the first that breaks a rule: with the rule, the conversation made smaller and the
 * command that replays it.
 *
 * @param language as `main.ts` names it
 */
export async function playAll(driver: Driver, language: string, seeds: number): Promise<void> {
  for (const { conversation } of FOUND) await expectNoFault(driver, language, conversation);
  for (let seed = 1; seed <= seeds; seed++) await expectNoFault(driver, language, generate(seed));
}

async function expectNoFault(
  driver: Driver,
  language: string,
  conversation: Conversation,
): Promise<void> {
  const [fault] = await driver.check(conversation);
  if (fault === undefined) return;
  const { rule, text } = fault;
  const breaksRule = async (smaller: Conversation): Promise<boolean> =>
    (await driver.check(smaller)).some((one) => one.rule === rule);
  const small = await shrink(conversation, breaksRule);
  throw new Error(
    `${rule}: ${text}\n${JSON.stringify({ rule, conversation: small })}\n` +
      `npx tsx test/simulation/main.ts ${language} ${conversation.seed}`,
  );
}
