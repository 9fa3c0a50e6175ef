import { isObject, type Json, type JsonObject } from "../../schema/json-schema/json.js";
import { parseLine } from "../processes/parse-line.js";
import type { SubjectProcess } from "../processes/subject-process.js";
import type { Side } from "../inspect/inspector-api.js";

/** The answer to a request, or why there is none. */
export type ProbeAnswer =
  | { readonly kind: "result"; readonly result: Json }
  | { readonly kind: "error"; readonly code: Json; readonly message: string }
  | { readonly kind: "none"; readonly reason: string };

/** A message that has passed, or a line that is none. */
export type Passed = { readonly from: Side } & (
  { readonly message: Json } | { readonly text: string }
);

const METHOD_NOT_FOUND = -32601;

/** How long the exit that explains the end of the output may take, in milliseconds. */
const EXIT_MS = 500;

/**
 * A client without opinions: it sends any request, and refuses what an agent asks for. It is for
 * agents that may do anything, which a connection of the bindings would not let pass.
 */
export class RawClient {
  /** Everything that has passed, in order. */
  readonly passed: Passed[] = [];
  readonly #agent: SubjectProcess;
  readonly #onUpdate: (update: JsonObject) => void;
  #nextId = 0;

  /** @param onUpdate called for each update of a session */
  constructor(agent: SubjectProcess, onUpdate: (update: JsonObject) => void) {
    this.#agent = agent;
    this.#onUpdate = onUpdate;
  }

  /** Sends a request and handles what comes until its answer. */
  async request(method: string, params: JsonObject, milliseconds: number): Promise<ProbeAnswer> {
    const id = this.#nextId++;
    this.#send({ jsonrpc: "2.0", id, method, params });
    const answer = await this.#read(
      (message) => (message["id"] === id && message["method"] === undefined ? message : undefined),
      milliseconds,
    );
    if (typeof answer === "string") return { kind: "none", reason: answer };
    const { error } = answer;
    if (isObject(error))
      return { kind: "error", code: error["code"] ?? null, message: String(error["message"]) };
    return { kind: "result", result: answer["result"] ?? null };
  }

  /** Handles what comes until an update has the given members; returns it, or why it did not come. */
  async update(members: JsonObject, milliseconds: number): Promise<JsonObject | string> {
    return this.#read((message) => {
      const update = updateIn(message);
      const fits = Object.entries(members).every(([name, value]) => update?.[name] === value);
      return fits ? update : undefined;
    }, milliseconds);
  }

  async #read(
    find: (message: JsonObject) => JsonObject | undefined,
    milliseconds: number,
  ): Promise<JsonObject | string> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const text = await this.#agent.line(deadline - performance.now());
      if (text === undefined) return this.#explainSilence(milliseconds);
      let message: Json;
      try {
        message = parseLine(text);
      } catch {
        this.passed.push({ from: "agent", text });
        continue;
      }
      this.passed.push({ from: "agent", message });
      if (!isObject(message)) continue;
      const update = updateIn(message);
      if (update !== undefined) this.#onUpdate(update);
      this.#refuse(message);
      const found = find(message);
      if (found !== undefined) return found;
    }
  }

  /** Answers a request of the agent: nothing is approved, and no other method exists. */
  #refuse({ id, method }: JsonObject): void {
    if (id === undefined || typeof method !== "string") return;
    const answer =
      method === "session/request_permission"
        ? { result: { outcome: { outcome: "cancelled" } } }
        : { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
    this.#send({ jsonrpc: "2.0", id, ...answer });
  }

  #send(message: JsonObject): void {
    this.passed.push({ from: "client", message });
    this.#agent.write(`${JSON.stringify(message)}\n`);
  }

  async #explainSilence(milliseconds: number): Promise<string> {
    if (!this.#agent.isOver) return `no answer in ${milliseconds / 1000} s`;
    await this.#agent.ended(EXIT_MS);
    const { end } = this.#agent;
    if (end === undefined) return "the agent has closed its output";
    return `the agent has ended ${typeof end === "number" ? `with exit code ${end}` : `by ${end}`}`;
  }
}

function updateIn({ method, params }: JsonObject): JsonObject | undefined {
  if (method !== "session/update" || !isObject(params)) return undefined;
  return isObject(params["update"]) ? params["update"] : undefined;
}
