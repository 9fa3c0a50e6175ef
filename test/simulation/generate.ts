import { createRandom, type Random } from "../use/samples/random.js";
import {
  LOOKS,
  REENTRIES,
  type Act,
  type Conversation,
  type Fault,
  type Handling,
  type Opening,
  type Program,
  type Question,
  type Step,
  type Update,
  type Wire,
} from "./conversation.js";

/** The faults that a bridge in the middle can have. */
const BRIDGED: ReadonlySet<string | undefined> = new Set([
  undefined,
  "clientClose",
  "agentClose",
  "stall",
]);

/** Returns the conversation of a seed; the same seed always gives the same one. */
export function generate(seed: number): Conversation {
  return new Generator(createRandom(`conversation ${seed}`)).conversation(seed);
}

class Generator {
  readonly #random: Random;
  readonly #version: 1 | 2;
  /** Large messages fill the wires, tiny pieces of a wire cut messages anywhere; both would only be slow. */
  readonly #sizes: "usual" | "large" | "tiny";
  #ids = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#version = random.pick([1, 1, 2]);
    this.#sizes = random.pick([
      ...Array.from({ length: 17 }, () => "usual" as const),
      "large",
      "tiny",
      "tiny",
    ]);
  }

  conversation(seed: number): Conversation {
    const sessions = 1 + this.#random.below(3);
    const acts: Act[] = Array.from({ length: sessions }, (_, s) => this.#creation(s));
    let t = 0;
    for (let left = 1 + this.#random.below(10); left > 0; left--) {
      t += this.#random.pick([0, 0, 1, 2, 5, 20, 100, 700]);
      acts.push({ t, ...this.#act(this.#random.below(sessions)) } as Act);
    }
    const wires = { toAgent: this.#wire(), toClient: this.#wire() };
    const version = this.#version;
    const fault = this.#sometimes(0.25, "fault", () => this.#fault(t)) as { fault?: Fault };
    const canBridge = version === 2 && BRIDGED.has(fault.fault?.kind);
    const ways = ["socket", "http", ...(canBridge ? ["bridge"] : [])];
    const over = this.#sometimes(0.4, "over", () => this.#random.pick(ways));
    return { seed, version, acts, wires, ...fault, ...over };
  }

  #creation(s: number): Act {
    const titles = (): Update[] => (this.#random.chance(0.2) ? [this.#update("title")] : []);
    const ms = this.#random.pick([0, 0, 5, 100]);
    const program: Opening = { ms, early: titles(), after: titles() };
    const abort = this.#sometimes(0.05, "abortMs", () => this.#random.pick([0, 1, 10]));
    return { t: this.#random.below(3), op: "new", s, ...abort, program };
  }

  #act(s: number): object {
    const { pick, chance } = this.#random;
    const op = pick([
      ...Array.from({ length: 4 }, () => "prompt" as const),
      ...(["cancel", "cancel", "cancelTurn", "mode", "option", "list", "list", "resume"] as const),
      chance(0.6) ? ("cancel" as const) : ("close" as const),
    ]);
    if (op === "prompt") {
      const retry = this.#sometimes(0.15, "retryMs", () => pick([0, 1, 20, 500]));
      return { op, s, ...this.#look(), ...this.#size(), program: this.#program(), ...retry };
    }
    if (op === "resume") return { op, s, ...this.#sometimes(0.6, "replay", () => this.#history()) };
    if (op !== "list") return { op, s };
    return {
      op,
      ...this.#sometimes(0.6, "ms", () => pick([5, 50, 500])),
      ...this.#sometimes(0.2, "asks", () => this.#question("elicit")),
      ...this.#sometimes(0.4, "abortMs", () => pick([0, 1, 10, 100])),
      ...this.#sometimes(0.2, "timeoutMs", () => pick([1, 20, 200])),
    };
  }

  #history(): Opening {
    const { pick, chance } = this.#random;
    const kinds = ["text", "thought", "tool", "title"] as const;
    const early = Array.from({ length: pick([0, 1, 2, 4]) }, () => this.#update(pick(kinds)));
    const fails = chance(0.15) && { fails: true };
    return { id: this.#id("o"), ms: pick([0, 1, 20, 100]), early, after: [], ...fails };
  }

  #look(): object {
    const { pick } = this.#random;
    const look = pick([...LOOKS, "now", "now"]);
    return { look, lookMs: pick([0, 1, 5, 50]), abortMs: pick([0, 1, 10, 100, 1000]) };
  }

  #program(): Program {
    const { pick, chance } = this.#random;
    const after = (): Update[] => [this.#update(chance(0.5) ? "title" : "text")];
    const late = () => ({ ms: pick([0, 1, 30]), step: this.#update("text") });
    return {
      id: this.#id("p"),
      steps: Array.from({ length: pick([0, 1, 2, 3, 5, 8]) }, () => this.#step()),
      end: pick(["end", "end", "end", "max_tokens", "throw", "fail"]),
      ...(chance(0.15) && { stubborn: true }),
      ...(chance(0.3) && { join: true }),
      ...this.#sometimes(0.1, "after", after),
      ...this.#sometimes(0.08, "late", late),
    };
  }

  #step(): Step {
    const { pick, chance } = this.#random;
    const calls = this.#version === 1 ? (["read", "write", "terminal"] as const) : [];
    const kind = pick([
      ...(["text", "text", "text", "thought", "tool", "plan", "title"] as const),
      ...(["sleep", "sleep", "ask", "ask", "elicit", ...calls] as const),
    ]);
    switch (kind) {
      case "sleep":
        return { do: kind, ms: pick([0, 1, 2, 10, 50, 300, 2000]) };
      case "ask":
      case "elicit":
        return this.#question(kind);
      case "read":
      case "write":
      case "terminal": {
        const handling = {
          ms: pick([0, 0, 0, 1, 5, 20, 100]),
          ...(chance(0.1) && { fails: true }),
        };
        const size = kind === "terminal" ? {} : this.#size();
        return { do: kind, id: this.#id("c"), ...handling, ...size, ...this.#background() };
      }
      default:
        return this.#update(kind);
    }
  }

  #update(kind: Update["do"]): Update {
    const { pick, chance } = this.#random;
    const handling: Handling = {
      id: this.#id("u"),
      ...this.#sometimes(0.5, "ms", () => pick([1, 3, 10, 40, 200])),
      ...(chance(0.06) && { fails: true }),
    };
    const re = this.#sometimes(0.05, "re", () => pick(REENTRIES));
    return { do: kind, ...handling, ...re, ...(kind === "text" && this.#size()) };
  }

  #question(kind: Question["do"]): Question {
    const { pick } = this.#random;
    const ms = this.#sometimes(0.7, "ms", () => pick([0, 1, 10, 60, 500]));
    const answer = pick(["allow", "allow", "reject", "throw", "wait"] as const);
    const child = this.#sometimes(kind === "ask" ? 0.3 : 0, "child", () => true);
    return { do: kind, id: this.#id("q"), ...ms, answer, ...this.#background(), ...child };
  }

  #background(): object {
    return this.#random.chance(0.4) ? { background: true } : {};
  }

  #size(): object {
    const { pick } = this.#random;
    if (this.#sizes === "large")
      return this.#sometimes(0.6, "size", () => pick([100_000, 400_000]));
    return this.#sometimes(this.#sizes === "tiny" ? 0 : 0.05, "size", () =>
      pick([2_000, 20_000, 100_000, 400_000]),
    );
  }

  #wire(): Wire {
    const { pick } = this.#random;
    const capacity = pick([256, 4096, 65536]);
    if (this.#sizes === "tiny") return { capacity, chunk: pick([1, 7, 40]), delay: 0 };
    return { capacity, chunk: pick([1000, 65536, 65536]), delay: pick([0, 0, 1, 5]) };
  }

  #fault(lastAct: number): Fault {
    const { pick, below } = this.#random;
    return {
      kind: pick([
        ...(["cutToClient", "cutToAgent", "clientClose", "agentClose"] as const),
        ...(["agentDies", "clientDies", "stall"] as const),
      ]),
      t: below(lastAct + pick([0, 1, 10, 100]) + 1),
      bytes: pick([0, 1, 300, 1000, 3000, 20000]) + below(500),
      by: pick(["eof", "error"]),
      ms: pick([10, 1000, 5000]),
    };
  }

  #id(kind: string): string {
    return `${kind}${++this.#ids}`;
  }

  #sometimes(probability: number, name: string, make: () => unknown): object {
    return this.#random.chance(probability) ? { [name]: make() } : {};
  }
}
