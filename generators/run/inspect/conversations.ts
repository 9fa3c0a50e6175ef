import type { Selection } from "../options.js";
import type { LineReport } from "./statistics.js";
import type {
  Captured,
  Inspector,
  InspectorModule,
  Handshake,
  Finding,
  Violation,
} from "./inspector-api.js";
import { chooseProfile, loadProfile, type LoadedProfile } from "./load-inspector.js";

/** How many messages may come before the answer to `initialize`, and how long they are together. */
const LOOK_AHEAD = 100;
const LOOK_AHEAD_SIZE = 4 * 1024 * 1024;

/** The length of reported method names. */
const LONGEST_NAME = 100;

/** A conversation that is being inspected. */
interface Conversation {
  readonly inspector: Inspector;
  /** The ids of its `initialize`, the refused ones too; empty where there is none. */
  readonly ids: readonly string[];
  /** Its lines, where it has begun before its version was agreed on. */
  readonly early?: Captured[];
}

/** The conversations of a transcript. */
export interface ConversationFacts {
  readonly profiles: readonly string[];
  readonly conversations: number;
  readonly withRules: number;
}

/**
 * Inspects the conversations of a transcript one after the other: a recorder that
 * restarts an agent appends to the same file. Each conversation is checked against
 * the protocol version in its first messages.
 */
export class Conversations {
  readonly tools: InspectorModule;
  readonly inputs: Selection;
  readonly templates: ReadonlyMap<string, string>;
  readonly report: (report: LineReport, captured?: Captured) => void;
  #waiting: Captured[] = [];
  #current: Conversation | undefined;
  #count = 0;
  #withRules = 0;
  readonly #profiles = new Map<number, LoadedProfile>();

  constructor(
    tools: InspectorModule,
    inputs: Selection,
    templates: ReadonlyMap<string, string>,
    report: (report: LineReport, captured?: Captured) => void,
  ) {
    this.tools = tools;
    this.inputs = inputs;
    this.templates = templates;
    this.report = report;
  }

  /** Takes lines, and reports them as soon as the version of their conversation is known. */
  async take(lines: readonly Captured[]): Promise<void> {
    for (const line of lines) {
      if (this.#beginsAnew(line)) await this.#finish();
      await this.#agree(line);
      if (this.#current !== undefined) this.#inspect(line, this.#current);
      else {
        this.#waiting.push(line);
        if (this.#isEnough(this.#waiting)) await this.#begin();
      }
    }
  }

  /** Reports the lines that wait for the version of their conversation: the next ones may take long. */
  async flush(): Promise<void> {
    const early = this.#waiting;
    if (early.length === 0) return;
    await this.#begin();
    this.#current = { ...this.#current!, early };
  }

  /** Reports what is left at the end of the transcript. */
  async end(): Promise<ConversationFacts> {
    await this.#finish();
    const profiles = [...new Set([...this.#profiles.values()].map(({ name }) => name))];
    return { profiles, conversations: this.#count, withRules: this.#withRules };
  }

  /**
   * Returns whether a line begins another conversation: an `initialize` with the id
   * of an earlier one, or after messages without one.
   */
  #beginsAnew(line: Captured): boolean {
    const id = "recorded" in line ? this.tools.handshakeId(line.recorded) : undefined;
    if (id === undefined) return false;
    const early = this.#current === undefined ? this.#waiting : this.#current.early;
    if (early !== undefined) return this.#handshake(early).ids.includes(id);
    const { ids } = this.#current!;
    return ids.length === 0 || ids.includes(id);
  }

  #isEnough(lines: readonly Captured[]): boolean {
    const size = lines.reduce((sum, line) => sum + line.size, 0);
    const isLong = lines.length >= LOOK_AHEAD || size >= LOOK_AHEAD_SIZE;
    return isLong || this.#handshake(lines).isAgreed;
  }

  #handshake(lines: readonly Captured[]): Handshake {
    return this.tools.findHandshake(
      lines.flatMap((line) => ("recorded" in line ? line.recorded : [])),
    );
  }

  /** Goes on with the version that a line agrees on, where the conversation has begun before. */
  async #agree(line: Captured): Promise<void> {
    const { early } = this.#current ?? {};
    if (early === undefined) return;
    early.push(line);
    if (!this.#isEnough(early)) return;
    const knew = this.#current!.ids.length > 0;
    this.#current = await this.#open(early);
    if (!knew && this.#current.ids.length > 0) this.#withRules += 1;
    // Their findings were reported, by the version that was asked for.
    for (const one of early.slice(0, -1))
      if ("recorded" in one) this.#current.inspector.inspect(one.recorded, one.number);
  }

  async #open(lines: readonly Captured[]): Promise<Conversation> {
    const { ids, version } = this.#handshake(lines);
    const key = Object.keys(this.inputs).length > 0 ? 0 : (version ?? 1);
    const profile =
      this.#profiles.get(key) ??
      (await loadProfile(chooseProfile(this.inputs, version), this.templates));
    this.#profiles.set(key, profile);
    return { inspector: this.tools.createInspector(profile, ids.length > 0), ids };
  }

  /** Begins a conversation with the lines that have waited. */
  async #begin(): Promise<void> {
    this.#current = await this.#open(this.#waiting);
    const { ids } = this.#current;
    this.#count += 1;
    if (ids.length > 0) this.#withRules += 1;
    for (const line of this.#waiting) this.#inspect(line, this.#current);
    this.#waiting = [];
  }

  async #finish(): Promise<void> {
    if (this.#current === undefined) await this.#begin();
    this.#reportViolations(this.#current!.inspector.end());
    this.#current = undefined;
  }

  #inspect(line: Captured, { inspector }: Conversation): void {
    const { number } = line;
    if ("event" in line) {
      this.report({ line: number, findings: [] }, line);
      return;
    }
    if ("broken" in line) {
      const { rule, message: reason, from } = line.broken;
      const finding: Finding = { level: "error", rule, path: "", message: reason };
      const sender = from === undefined ? {} : { from };
      this.report({ line: number, ...sender, verdict: "unreadable", findings: [finding] }, line);
      return;
    }
    const { findings, violations, method, ...inspected } = inspector.inspect(line.recorded, number);
    const common = {
      line: number,
      ...inspected,
      ...(method !== undefined && { method: method.slice(0, LONGEST_NAME) }),
    };
    if (violations.length === 0) {
      this.report({ ...common, findings }, line);
      return;
    }
    const own = violations.filter(({ line: other }) => other === number);
    this.report({ ...common, findings: [...findings, ...own.map(toFinding)] }, line);
    this.#reportViolations(violations.filter(({ line: other }) => other !== number));
  }

  /** Reports violations of earlier lines. */
  #reportViolations(violations: readonly Violation[]): void {
    for (const violation of violations)
      this.report({ line: violation.line, findings: [toFinding(violation)] });
  }
}

function toFinding({ level, rule, path = "", message }: Violation): Finding {
  return { level, rule, path, message };
}
