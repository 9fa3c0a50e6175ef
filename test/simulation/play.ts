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
export class Driver {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor([program, ...args]: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(program!, args, {
      cwd: ROOT,
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...env },
    });
    // The end of its output says that it has died.
    this.#child.stdin!.on("error", () => {});
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  /** Plays a conversation and returns its log. */
  async play(conversation: Conversation): Promise<Event[]> {
    this.#child.stdin!.write(`${JSON.stringify(conversation)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`the driver ended at seed ${conversation.seed}`);
    return readLog(value);
  }

  /** Plays a conversation and returns the rules that it breaks. */
  async check(conversation: Conversation): Promise<Fault[]> {
    return check(new Talk(conversation, await this.play(conversation)));
  }

  stop(): void {
    this.#child.kill();
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
 * @param versions the versions of the protocol that the driver speaks
 */
export async function playAll(
  driver: Driver,
  language: string,
  seeds: number,
  versions: readonly number[] = [1, 2],
): Promise<void> {
  const isSpoken = ({ version }: Conversation): boolean => versions.includes(version);
  const found = FOUND.map(({ conversation }) => conversation).filter(isSpoken);
  for (const conversation of found) await expectNoFault(driver, language, conversation);
  for (let seed = 1, played = 0; played < seeds; seed++) {
    const conversation = generate(seed);
    if (!isSpoken(conversation)) continue;
    await expectNoFault(driver, language, conversation);
    played++;
  }
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
