import { setTimeout as wait } from "node:timers/promises";
import { isObject, type Json, type JsonObject } from "../../schema/json-schema/json.js";
import { ROOT } from "../../run/installation.js";
import type { Side } from "../inspect/inspector-api.js";
import { loadInspector } from "../inspect/load-inspector.js";
import { openTranscript } from "../inspect/open-transcript.js";
import { loadTemplates } from "../../run/inputs/load-templates.js";
import { checkOptions, OPTION, type OptionRules } from "../../run/check-options.js";
import { usageError } from "../../run/messages.js";
import { join } from "node:path";
import { numberAt, textAt } from "../json-at.js";
import {
  idKey,
  planReplay,
  type PlanItem,
  type PlanScript,
  type ReplayPlan,
  type RecordedStep,
} from "./replay-plan.js";

/** The recording that comes with the tool: a turn with a plan, a permission and a change of a file. */
export const DEMO = join(ROOT, "templates/site/demo.ndjson");

export interface ReplayOptions {
  readonly path: string;
  /** The side that is played. */
  readonly side: Side;
  /** How many times as fast as in the recording; without it, nothing waits for the time. */
  readonly speed?: number;
  /** Begins again when the recording has no further request of a method. */
  readonly loop?: boolean;
}

/** The place where a replay runs. */
export interface ReplayWorld {
  readonly lines: AsyncIterable<string>;
  readonly write: (text: string) => void;
  /** Takes a sentence about where the other side leaves the recording. */
  readonly say: (text: string) => void;
}

/** How long a notification of the other side is waited for, in milliseconds. */
const NOTIFICATION_MS = 2000;
/** How long an answer may take until the wait is reported, in milliseconds. */
const SILENT_MS = 5000;

const METHOD_NOT_FOUND = -32601;

/**
 * Plays one side of a recording: answers each request as the next one of its method was answered,
 * with what the side sent meanwhile; as the client, it sends its own requests as well. Ids and
 * sessions are those of the live conversation.
 *
 * @returns whether the other side has done what it did in the recording, as far as that is known
 * @throws TypeError for an option that is unknown, missing or of another type; InputError for a recording
 *   without messages; OutputError when it cannot be read
 */
export async function replay(options: ReplayOptions, world: ReplayWorld): Promise<boolean> {
  checkOptions("replay", options, RULES);
  const steps = await readSteps(options.path);
  return new Replay(options, world, steps).run();
}

const RULES: OptionRules<ReplayOptions> = {
  path: { ...OPTION.text, isRequired: true },
  side: {
    accepts: (side) => side === "agent" || side === "client",
    expected: '"agent" or "client"',
    isRequired: true,
  },
  speed: {
    accepts: (speed) => typeof speed === "number" && speed > 0,
    expected: "a number above 0",
  },
  loop: OPTION.flag,
};

class Replay {
  readonly #options: ReplayOptions;
  readonly #world: ReplayWorld;
  readonly #plan: ReplayPlan;
  /** Those that no live request has used yet. */
  #unused: PlanScript[];
  /** Recorded sessions and the live ones. */
  readonly #sessions = new Map<string, string>();
  /** The live ids of own requests, by the recorded ones, and who waits for their answers. */
  readonly #asked = new Map<string, { readonly id: number; readonly answered: Promise<void> }>();
  readonly #resolvers = new Map<number, (message: JsonObject) => void>();
  /** Notifications that have come, and who waits for one. */
  readonly #notified: string[] = [];
  #wake = (): void => {};
  #nextId = 1;
  #round = 0;
  #isFaithful = true;

  constructor(options: ReplayOptions, world: ReplayWorld, steps: readonly RecordedStep[]) {
    this.#options = options;
    this.#world = world;
    this.#plan = planReplay(steps, options.side);
    this.#unused = [...this.#plan.scripts];
  }

  async run(): Promise<boolean> {
    const reading = this.#read();
    if (this.#options.side === "agent") await reading;
    else {
      const played = this.#play(this.#plan.root, undefined).then(() => true);
      const isOver = await Promise.race([played, reading.then(() => false)]);
      if (!isOver) this.#leave("it has ended before its end");
      else for (const { method } of this.#unused) this.#leave(`it has not sent ${method}`);
    }
    return this.#isFaithful;
  }

  async #read(): Promise<void> {
    for await (const line of this.#world.lines) {
      let message: Json;
      try {
        message = JSON.parse(line) as Json;
      } catch {
        this.#leave(`a line is not JSON: ${line.slice(0, 80)}`);
        continue;
      }
      if (!isObject(message)) continue;
      const { method, id } = message;
      if (typeof method !== "string") {
        if (typeof id === "number") this.#resolvers.get(id)?.(message);
      } else if (id === undefined) {
        this.#notified.push(method);
        this.#wake();
      } else this.#answer(method, message);
    }
  }

  /** Begins what was done for a request. */
  #answer(method: string, request: JsonObject): void {
    const { id = null } = request;
    const script = this.#take(method, request);
    if (script !== undefined) {
      const [before, now] = [
        textAt(script.request["params"], "sessionId"),
        textAt(request["params"], "sessionId"),
      ];
      if (before !== "" && now !== "") this.#sessions.set(before, now);
      void this.#play(script.items, id);
      if (!isAnswered(script)) this.#world.say(`the recording has no answer to ${method}`);
      return;
    }
    const made = this.#make(method, request);
    if (made !== undefined) return this.#send({ jsonrpc: "2.0", id, result: made });
    const problem = `the recording has no ${this.#has(method) ? "further " : ""}${method}`;
    this.#leave(problem);
    this.#refuse(id, METHOD_NOT_FOUND, problem);
  }

  #has(method: string): boolean {
    return this.#plan.scripts.some((script) => script.method === method);
  }

  /** Takes the next recorded request of a method, of the same session if there is one. */
  #take(method: string, request: JsonObject): PlanScript | undefined {
    const live = textAt(request["params"], "sessionId");
    const fits = (script: PlanScript): boolean => {
      const recorded = textAt(script.request["params"], "sessionId");
      return (this.#sessions.get(recorded) ?? recorded) === live;
    };
    const candidates = this.#unused.filter((script) => script.method === method);
    const found = candidates.find(fits) ?? candidates[0];
    if (found === undefined && this.#options.loop && this.#has(method)) {
      this.#round += 1;
      const again = this.#plan.scripts.filter((script) => script.method === method);
      this.#unused.push(...again);
      // A session that is opened once more has another id.
      for (const { items } of again)
        for (const item of items) {
          const session = item.kind === "send" ? textAt(item.message["result"], "sessionId") : "";
          if (session !== "") this.#sessions.set(session, `${session}-${this.#round}`);
        }
      return this.#take(method, request);
    }
    if (found !== undefined) this.#unused = this.#unused.filter((script) => script !== found);
    return found;
  }

  /** Makes an answer that a capture from the middle does not have. */
  #make(method: string, request: JsonObject): Json | undefined {
    if (this.#has(method) || this.#options.side !== "agent") return undefined;
    if (method === "initialize") {
      const version = numberAt(request["params"], "protocolVersion") ?? 1;
      const info = { name: "replay", version: "1" };
      return version >= 2
        ? { protocolVersion: version, info, capabilities: {} }
        : { protocolVersion: version, agentInfo: info, agentCapabilities: {} };
    }
    return method === "session/new" && this.#plan.session !== undefined
      ? { sessionId: this.#plan.session }
      : undefined;
  }

  /** @param id the id of the live request that the items answer */
  async #play(items: readonly PlanItem[], id: Json | undefined): Promise<void> {
    for (const item of items) {
      switch (item.kind) {
        case "send":
          if (this.#options.speed !== undefined && this.#options.speed > 0)
            await wait(item.gap / this.#options.speed);
          this.#sendRecorded(item.message, id);
          break;
        case "answer":
          await this.#waitForAnswer(item.id);
          break;
        case "notification":
          await this.#waitForNotification(item.method);
          break;
        default:
          item satisfies never;
      }
    }
  }

  #sendRecorded(message: JsonObject, id: Json | undefined): void {
    const mapped = this.#map(message) as JsonObject;
    if (typeof message["method"] !== "string") return this.#send({ ...mapped, id: id ?? null });
    if (message["id"] === undefined) return this.#send(mapped);
    const live = this.#nextId++;
    const answered = new Promise<void>((resolve) => {
      this.#resolvers.set(live, (answer) => {
        this.#resolvers.delete(live);
        this.#learn(message, answer);
        resolve();
      });
    });
    this.#asked.set(idKey(message["id"]), { id: live, answered });
    this.#send({ ...mapped, id: live });
  }

  /** Learns the session of a live answer, and whether it fails. */
  #learn(request: JsonObject, answer: JsonObject): void {
    const { error } = answer;
    if (isObject(error) && this.#options.side === "client")
      this.#leave(
        `${String(request["method"])} is answered with ${String(error["code"])} ${String(error["message"])}`,
      );
    const recorded = this.#plan.opened.get(idKey(request["id"]));
    const session = textAt(answer["result"], "sessionId");
    if (session !== "" && recorded !== undefined) this.#sessions.set(recorded, session);
  }

  async #waitForAnswer(id: string): Promise<void> {
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    const timer = setTimeout(
      () => this.#world.say(`waits for the answer to its request ${asked.id}`),
      SILENT_MS,
    );
    await asked.answered;
    clearTimeout(timer);
  }

  async #waitForNotification(method: string): Promise<void> {
    const deadline = performance.now() + NOTIFICATION_MS;
    for (;;) {
      const index = this.#notified.indexOf(method);
      if (index >= 0) return void this.#notified.splice(index, 1);
      const left = deadline - performance.now();
      if (left <= 0) return this.#leave(`${method} did not come`);
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      await Promise.race([woken, wait(left, undefined, { ref: false })]);
    }
  }

  /** Returns a message with the live sessions and ids. */
  #map(value: Json, name = ""): Json {
    if (typeof value === "string")
      return /sessionId$/i.test(name) ? (this.#sessions.get(value) ?? value) : value;
    if (name === "requestId") return this.#asked.get(idKey(value))?.id ?? value;
    if (Array.isArray(value)) return value.map((item: Json) => this.#map(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.#map(member, key)]),
    );
  }

  #refuse(id: Json, code: number, message: string): void {
    this.#send({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #send(message: JsonObject): void {
    this.#world.write(`${JSON.stringify(message)}\n`);
  }

  #leave(text: string): void {
    this.#isFaithful = false;
    this.#world.say(`the other side leaves the recording: ${text}`);
  }
}

function isAnswered({ items }: PlanScript): boolean {
  return items.some((item) => item.kind === "send" && item.message["method"] === undefined);
}

/** Reads the messages of a recording whose senders are known. */
async function readSteps(path: string): Promise<RecordedStep[]> {
  const { openCapture } = await loadInspector(loadTemplates());
  const steps: RecordedStep[] = [];
  const capture = openCapture((captured) => {
    if (!("recorded" in captured)) return;
    const { from, message } = captured.recorded;
    if (from === undefined || !isObject(message as Json)) return;
    const { time } = captured;
    steps.push({ from, message: message as JsonObject, ...(time !== undefined && { time }) });
  });
  const { chunks, name } = openTranscript(path, emptyInput());
  for await (const chunk of chunks) capture.push(chunk);
  capture.end();
  if (steps.length > 0) return steps;
  throw usageError(`${name} has no message whose sender is known`, "Give a recording.");
}

async function* emptyInput(): AsyncGenerator<Uint8Array> {}
