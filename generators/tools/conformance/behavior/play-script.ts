import type { MessagePattern, BehaviorScript, ScriptStep } from "../../../emit/behavior/script.js";
import { isObject, type Json, type JsonObject } from "../../../schema/json-schema/json.js";
import { parseLine } from "../../processes/parse-line.js";
import { fill, matchesPattern, type Variables } from "./patterns.js";
import type { SubjectProcess } from "../../processes/subject-process.js";

/** The result of playing a script. */
export type Outcome =
  | { readonly kind: "passed" }
  | { readonly kind: "not-tested"; readonly reason: string }
  | {
      readonly kind: "failed";
      /** The number of the step, from 1 on. */
      readonly step: number;
      readonly reason: string;
    };

/** A message or a line on the wire, as recordings have it. */
export interface Exchanged {
  readonly from: "driver" | "subject";
  /** Absent for text that is not JSON. */
  readonly message?: Json;
  readonly text?: string;
}

export interface PlayOptions {
  /** How long a step waits for a message, in milliseconds. */
  readonly timeoutMs: number;
  /** How long the first message may take, in milliseconds: the subject has to start. */
  readonly startMs?: number;
  /** The prompt for turns with agents that nobody prepared. */
  readonly prompt?: string;
  /** Whether every other message, and lines that are not JSON, are ignored. */
  readonly isLenient?: boolean;
}

const START_MS = 30_000;

/** How many times as long as for one message a step waits for the wanted one, while others come. */
const BUSY_FACTOR = 6;

/** So many messages of a subject end a script: twice as many as the corpus asks for anywhere. */
const MOST_MESSAGES = 100_000;

/** How long the end of the output waits for the exit that explains it, in milliseconds. */
const EXIT_MS = 500;

/** The pause between the pieces of a text that is cut, in milliseconds. */
const CUT_PAUSE_MS = 20;

/** Texts that scripts do not spell out: a megabyte, and lists in lists. */
const LARGE = { long: "x".repeat(1_000_000), deep: `${"[".repeat(10_000)}${"]".repeat(10_000)}` };

/** The code of an agent that requires the user to sign in. */
const AUTH_REQUIRED = -32000;

/** The text of a testee that does not have a behavior. */
const UNSUPPORTED = "unsupported";

/** The parts of a script that playing it takes. */
export type Playable = Pick<BehaviorScript, "subject" | "needs" | "skip" | "replies" | "steps">;

/** A step in which the subject does something else than it says. */
export class Failed extends Error {
  /** The reason, without what was expected. */
  readonly reason: string;

  constructor(reason: string, place = "") {
    super(`${reason}${place}`);
    this.reason = reason;
  }
}
class NotTested extends Error {}

/**
 * Plays a script with a subject that has just started.
 *
 * @returns the outcome, and everything that was sent and received
 */
export async function playScript(
  script: Playable,
  subject: SubjectProcess,
  options: PlayOptions,
): Promise<{ readonly outcome: Outcome; readonly exchanged: readonly Exchanged[] }> {
  const player = new Player(script, subject, options);
  for (const [index, step] of script.steps.entries()) {
    try {
      await player.play(step);
    } catch (error) {
      if (error instanceof NotTested)
        return result(player, { kind: "not-tested", reason: error.message });
      if (!(error instanceof Failed)) throw error;
      return result(player, { kind: "failed", step: index + 1, reason: error.message });
    }
  }
  return result(player, { kind: "passed" });
}

function result(player: Player, outcome: Outcome) {
  return { outcome, exchanged: player.exchanged };
}

/** Plays steps with a subject, one after the other. */
export class Player {
  readonly exchanged: Exchanged[] = [];
  readonly #script: Playable;
  readonly #subject: SubjectProcess;
  readonly #options: PlayOptions;
  readonly #variables: Variables = new Map();
  #hasStarted = false;
  #received = 0;
  #isIntroduced = false;
  /** Messages that came while others were waited for, oldest first. */
  readonly #inbox: Json[] = [];

  constructor(script: Playable, subject: SubjectProcess, options: PlayOptions) {
    this.#script = script;
    this.#subject = subject;
    this.#options = options;
    for (const [name, value] of Object.entries(LARGE)) this.#variables.set(name, value);
    if (options.prompt !== undefined) this.#variables.set("prompt", options.prompt);
  }

  /**
   * Plays a step.
   *
   * @returns the message that `expect` has found
   * @throws Failed when the subject does something else
   */
  async play(step: ScriptStep): Promise<Json | void> {
    if ("send" in step) return this.#send([step.send].flat());
    if ("sendText" in step) return this.#sendText(step.sendText, step.cut ?? []);
    if ("sendHex" in step) return this.#write(Buffer.from(step.sendHex, "hex"));
    if ("flood" in step) return this.#flood(step.flood, step.count);
    if ("expect" in step) return this.#expect(step);
    if ("expectEach" in step) return this.#expectEach(step.expectEach, step.count, step.skip);
    if ("expectAll" in step) return this.#expectAll(step.expectAll, step.skip);
    if ("expectNone" in step) return this.#expectNone(step.expectNone, step.within);
    if ("pause" in step) return sleep(step.pause);
    if ("close" in step) return this.#subject.endInput();
    if ("expectExit" in step) return this.#expectExit(step.expectExit, step.code);
    if ("output" in step) return this.#subject.output(step.output);
    if ("signal" in step) return this.#subject.signal(step.signal as NodeJS.Signals);
    return step satisfies never;
  }

  #send(messages: readonly JsonObject[]): void {
    const filled = messages.map((message) => this.#complete(message));
    for (const message of filled) this.exchanged.push({ from: "driver", message });
    this.#write(filled.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  #complete(message: JsonObject): JsonObject {
    return { jsonrpc: "2.0", ...(fill(message, this.#variables) as JsonObject) };
  }

  async #sendText(given: string, cuts: readonly number[]): Promise<void> {
    const text = String(fill(given, this.#variables));
    const bytes = Buffer.from(text);
    this.exchanged.push(...text.split("\n").flatMap(recordLine));
    let start = 0;
    for (const cut of cuts) {
      this.#write(bytes.subarray(start, cut));
      await sleep(CUT_PAUSE_MS);
      start = cut;
    }
    this.#write(bytes.subarray(start));
  }

  #flood(message: JsonObject, count: number): void {
    const lines: string[] = [];
    for (let n = 0; n < count; n++) {
      this.#variables.set("n", String(n));
      const filled = this.#complete(message);
      this.exchanged.push({ from: "driver", message: filled });
      lines.push(`${JSON.stringify(filled)}\n`);
    }
    this.#write(lines.join(""));
  }

  async #expect({
    expect,
    skip = [],
    without,
    race,
    among,
  }: Extract<ScriptStep, { expect: MessagePattern }>): Promise<Json> {
    const isRace = (message: Json): boolean =>
      race !== undefined && this.#matches(message, race) && !this.#matches(message, expect);
    const isAmong = (message: Json): boolean =>
      among !== undefined && this.#matches(message, among) && !this.#matches(message, expect);
    const isWanted = (message: Json): boolean =>
      isRace(message) || isAmong(message) || this.#matches(message, expect);
    const found = await this.#next(isWanted, skip, expect);
    if (isRace(found)) throw new NotTested("the agent was done before the driver interfered");
    if (isAmong(found)) throw new Failed(`expected ${show(expect)}, received ${show(found)}`);
    if (without !== undefined && JSON.stringify(found).includes(without))
      throw new Failed(`the message contains ${JSON.stringify(without)}: ${show(found)}`);
    return found;
  }

  async #expectEach(
    pattern: MessagePattern,
    count: number,
    skip: readonly MessagePattern[] = [],
  ): Promise<void> {
    for (let n = 0; n < count; n++) {
      this.#variables.set("n", String(n));
      await this.#expect({ expect: pattern, skip });
    }
  }

  async #expectAll(
    patterns: readonly MessagePattern[],
    skip: readonly MessagePattern[] = [],
  ): Promise<void> {
    const open = [...patterns];
    while (open.length > 0) {
      const isOne = (message: Json): boolean => {
        const index = open.findIndex((pattern) => this.#matches(message, pattern));
        if (index >= 0) open.splice(index, 1);
        return index >= 0;
      };
      await this.#next(isOne, skip, { $in: [...open] });
    }
  }

  async #expectNone(pattern: MessagePattern, milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const message = await this.#read(deadline - performance.now());
      if (message === undefined) return;
      if (this.#matches(message, pattern)) throw new Failed(`unexpected message ${show(message)}`);
      if (!this.#isIgnored(message, [])) this.#inbox.push(message);
    }
  }

  async #expectExit(milliseconds: number, code?: number): Promise<void> {
    const { timeoutMs } = this.#options;
    this.#hasStarted = true;
    // What it still writes belongs to the recording.
    const deadline = performance.now() + Math.max(milliseconds, timeoutMs);
    for (;;) {
      const message = await this.#read(Math.min(milliseconds, deadline - performance.now()));
      if (message === undefined) break;
      this.#isIgnored(message, []);
    }
    if (!(await this.#subject.ended(milliseconds)))
      throw new Failed(`the process does not end within ${milliseconds} ms`);
    const { end } = this.#subject;
    if (code !== undefined && end !== code) throw new Failed(`the process ${describeEnd(end)}`);
  }

  /** Returns the next message that is wanted; others must be among the ignored ones. */
  async #next(
    isWanted: (message: Json) => boolean,
    skip: readonly MessagePattern[],
    wanted: MessagePattern,
  ): Promise<Json> {
    const { timeoutMs } = this.#options;
    const deadline = performance.now() + this.#limit(timeoutMs) + BUSY_FACTOR * timeoutMs;
    for (;;) {
      const message = this.#inbox.shift() ?? (await this.#read(timeoutMs, wanted));
      const place = ` while ${show(wanted)} was expected`;
      if (message === undefined) throw new Failed(await this.#describeSilence(), place);
      if (performance.now() > deadline) throw new Failed("only other messages came", place);
      if (isWanted(message)) return message;
      const isIgnored = this.#isIgnored(message, skip);
      if (this.#options.isLenient) continue;
      if (isAuthRequired(message)) throw new NotTested("the agent requires the user to sign in");
      if (isUnsupported(message)) throw new NotTested("the testee does not have the behavior");
      if (!isIgnored) throw new Failed(`expected ${show(wanted)}, received ${show(message)}`);
    }
  }

  /** Returns how long the next message may take: the first one has more time. */
  #limit(milliseconds: number): number {
    const { startMs = START_MS } = this.#options;
    return this.#hasStarted ? milliseconds : Math.max(milliseconds, startMs);
  }

  /** Reads a message; undefined when none comes. */
  async #read(milliseconds: number, wanted?: MessagePattern): Promise<Json | undefined> {
    const line = await this.#subject.line(Math.max(0, this.#limit(milliseconds)));
    if (line === undefined) return undefined;
    this.#hasStarted = true;
    if (++this.#received > MOST_MESSAGES)
      throw new Failed(`received more than ${MOST_MESSAGES.toLocaleString("en")} messages`);
    let message: Json;
    try {
      message = parseLine(line);
    } catch {
      this.exchanged.push({ from: "subject", text: line });
      if (wanted === undefined) return undefined;
      if (this.#options.isLenient) return null;
      throw new Failed(`received a line that is not JSON: ${line.slice(0, 200)}`);
    }
    this.exchanged.push({ from: "subject", message });
    this.#checkNeeds(message);
    return message;
  }

  /** Ends the script when the subject has introduced itself without what the script needs. */
  #checkNeeds(message: Json): void {
    const { needs = [], subject } = this.#script;
    const holder = isObject(message)
      ? message[subject === "client" ? "params" : "result"]
      : undefined;
    if (this.#isIntroduced || needs.length === 0 || !isObject(holder)) return;
    this.#isIntroduced = true;
    const missing = needs.find((path) => !isOn(holder, path));
    if (missing !== undefined) throw new NotTested(`the ${subject} does not advertise ${missing}`);
  }

  #isIgnored(message: Json, skip: readonly MessagePattern[]): boolean {
    const reply = this.#script.replies?.find(({ to }) => this.#matches(message, to));
    if (reply !== undefined) {
      this.#variables.set("id", (message as JsonObject)["id"]!);
      this.#send([reply.send].flat());
      return true;
    }
    return [...skip, ...(this.#script.skip ?? [])].some((pattern) =>
      this.#matches(message, pattern),
    );
  }

  /** Values that a pattern keeps are kept only when the whole pattern matches. */
  #matches(message: Json, pattern: MessagePattern): boolean {
    const found: Variables = new Map(this.#variables);
    if (!matchesPattern(message, pattern, found)) return false;
    for (const [name, value] of found) this.#variables.set(name, value);
    return true;
  }

  async #describeSilence(): Promise<string> {
    // The end of the output comes shortly before that of the process.
    if (this.#subject.isOver) await this.#subject.ended(EXIT_MS);
    const { end, isOver } = this.#subject;
    if (end !== undefined) return `the process ${describeEnd(end)}`;
    return isOver
      ? "the output has ended"
      : `silent for ${this.#limit(this.#options.timeoutMs)} ms`;
  }

  #write(bytes: string | Uint8Array): void {
    this.#subject.write(bytes);
  }
}

/** Returns the record of a line that the driver sends; none for a blank one. */
function recordLine(line: string): readonly Exchanged[] {
  if (line.trim() === "") return [];
  try {
    return [{ from: "driver", message: parseLine(line.replace(/^\ufeff/, "")) }];
  } catch {
    return [{ from: "driver", text: line }];
  }
}

/** Says how a process ended: an exit or a crash. */
function describeEnd(end: number | string | undefined): string {
  return typeof end === "number" ? `exited with code ${end}` : `was ended by ${String(end)}`;
}

/** Returns whether there is a value other than `null` and `false` at a path. */
function isOn(holder: JsonObject, path: string): boolean {
  const value = path
    .split(".")
    .reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), holder);
  return value !== undefined && value !== null && value !== false;
}

function isAuthRequired(message: Json): boolean {
  const error = isObject(message) ? message["error"] : undefined;
  return isObject(error) && error["code"] === AUTH_REQUIRED;
}

/** Returns whether a testee says that it does not have a behavior, in a chunk or in a prompt. */
function isUnsupported(message: Json): boolean {
  const params = isObject(message) ? message["params"] : undefined;
  if (!isObject(params)) return false;
  const update = params["update"];
  const content = isObject(update) ? update["content"] : undefined;
  const prompt: unknown = params["prompt"];
  const blocks: readonly unknown[] = Array.isArray(prompt) ? prompt : [content];
  return blocks.some((block) => isObject(block) && block["text"] === UNSUPPORTED);
}

const SHOWN = 300;

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
