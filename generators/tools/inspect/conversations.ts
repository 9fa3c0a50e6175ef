import type { Selection } from "../../run/options.js";
import type { LineReport } from "./statistics.js";
import type {
  Captured,
  Inspected,
  Inspector,
  InspectorModule,
  RecordedHandshake,
  Finding,
  Violation,
} from "./inspector-api.js";
import { positionsOf } from "./positions.js";
import { Redactor, type Positions } from "./redact.js";
import { chooseProfile, loadProfile, type LoadedProfile } from "./load-inspector.js";
import { maskFinding } from "./mask-finding.js";

/** How many messages may come before the answer to `initialize`, and how long they are together. */
const LOOK_AHEAD = 100;
const LOOK_AHEAD_SIZE = 4 * 1024 * 1024;

/** The length of reported method names. */
const LONGEST_NAME = 100;

/** A conversation that is being inspected. */
interface Conversation {
  readonly inspector: Inspector;
  /** What is shown in place of the messages, and the inspector of that, for the texts of findings. */
  readonly masked?: { readonly redactor: Redactor; readonly inspector: Inspector };
  /** The ids of its `initialize`, the refused ones too; empty where there is none. */
  readonly ids: readonly string[];
  /** Its lines, where it has begun before its version was agreed on. */
  readonly early?: Captured[];
}

interface Profile {
  readonly checks: LoadedProfile;
  /** Present where messages are masked. */
  readonly positions?: Positions;
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
  readonly redact: boolean;
  #waiting: Captured[] = [];
  #current: Conversation | undefined;
  #count = 0;
  #withRules = 0;
  readonly #profiles = new Map<number, Profile>();

  /** @param redact whether what is reported is masked */
  constructor(
    tools: InspectorModule,
    inputs: Selection,
    templates: ReadonlyMap<string, string>,
    report: (report: LineReport, captured?: Captured) => void,
    redact: boolean,
  ) {
    this.tools = tools;
    this.inputs = inputs;
    this.templates = templates;
    this.report = report;
    this.redact = redact;
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
    const profiles = [...new Set([...this.#profiles.values()].map(({ checks }) => checks.name))];
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

  #handshake(lines: readonly Captured[]): RecordedHandshake {
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
    for (const one of early.slice(0, -1)) this.#find(one, this.#current);
  }

  async #open(lines: readonly Captured[]): Promise<Conversation> {
    const { ids, version } = this.#handshake(lines);
    const key = Object.keys(this.inputs).length > 0 ? 0 : (version ?? 1);
    const profile = this.#profiles.get(key) ?? (await this.#load(version));
    this.#profiles.set(key, profile);
    const { checks, positions } = profile;
    const createInspector = (): Inspector => this.tools.createInspector(checks, ids.length > 0);
    const masked = positions && {
      redactor: new Redactor([positions]),
      inspector: createInspector(),
    };
    return { inspector: createInspector(), ...(masked && { masked }), ids };
  }

  async #load(version: number | undefined): Promise<Profile> {
    const input = chooseProfile(this.inputs, version);
    const checks = await loadProfile(input, this.templates);
    return this.redact ? { checks, positions: positionsOf(input) } : { checks };
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
    const { inspector, masked } = this.#current!;
    const seen = masked?.inspector.end();
    this.#reportViolations(
      inspector.end().map((one) => (seen === undefined ? one : maskFinding(one, undefined, seen))),
    );
    this.#current = undefined;
  }

  #inspect(original: Captured, conversation: Conversation): void {
    const { line, inspected } = this.#find(original, conversation);
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
    const { findings, violations, method, ...facts } = inspected!;
    const common = {
      line: number,
      ...facts,
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

  /** Inspects a line. Returns it as it is shown, and what was found if it has a message. */
  #find(
    original: Captured,
    { inspector, masked }: Conversation,
  ): { readonly line: Captured; readonly inspected?: Inspected } {
    const line = masked?.redactor.captured(original) ?? original;
    if (!("recorded" in original && "recorded" in line)) return { line };
    const { number } = line;
    const inspected = inspector.inspect(original.recorded, number);
    if (masked === undefined) return { line, inspected };
    const shown = masked.inspector.inspect(line.recorded, number);
    const pair = { original: original.recorded.message, masked: line.recorded.message };
    const findings = inspected.findings.map((one) => maskFinding(one, pair, shown.findings));
    const violations = inspected.violations.map((one) =>
      maskFinding(one, one.line === number ? pair : undefined, shown.violations),
    );
    return { line, inspected: { ...shown, verdict: inspected.verdict, findings, violations } };
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
