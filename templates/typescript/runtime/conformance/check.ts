import { at, textOf } from "./select.js";
import type { MethodDescriptor } from "../methods.js";
import { Conversation, INITIALIZING } from "./conversation.js";
import type { Level } from "./rules/rule.js";
import { RuleSelection } from "./rules/rule-selection.js";
import { RULES } from "./rules/rules.js";
import type { TranscriptStep } from "./step.js";
import type { TranscriptEntry } from "./transcript.js";

export interface ConformanceOptions {
  /** The protocol version; by default the one that `initialize` agreed on, otherwise 1. */
  readonly version?: 1 | 2;
  /**
   * The `METHODS` of the profile, or one table per version when the version is not known in
   * advance. With it, everything that needs a capability is checked against what was advertised;
   * without it, only capabilities with rules of their own are checked.
   */
  readonly methods?:
    readonly MethodDescriptor[] | { readonly [Version in 1 | 2]?: readonly MethodDescriptor[] };
  /** Levels that override those of the rules, by rule; `off` leaves a rule out. */
  readonly levels?: { readonly [rule: string]: Level | "off" };
  /** Whether rules of the level `note` are checked as well; false by default. */
  readonly notes?: boolean;
  /** Whether rules about several messages are left out, for an excerpt of a conversation; false by default. */
  readonly excerpt?: boolean;
}

/** A violation of a rule in a transcript. */
export interface Violation {
  readonly rule: string;
  readonly level: Level;
  readonly line: number;
  readonly message: string;
  /** JSON pointer to the offending part of the message. */
  readonly path?: string;
}

/** Checks a conversation message by message; see `checkConformance`. */
export interface ConformanceChecker {
  /** Returns the violations of the next message. */
  readonly check: (entry: TranscriptEntry) => readonly Violation[];
  /** Returns the violations that only the end of the conversation shows. No message may be checked after it. */
  readonly end: () => readonly Violation[];
}

/**
 * Creates a checker for a live conversation, or for one that does not fit into memory. The memory
 * of the checker is bounded: rules that depend on dropped facts report no violations.
 *
 * @param options the version is 1 by default
 * @throws RangeError for the level of an unknown rule
 */
export function createConformanceChecker({
  version = 1,
  methods,
  levels = {},
  notes = false,
  excerpt = false,
}: ConformanceOptions = {}): ConformanceChecker {
  const unknown = Object.keys(levels).find((id) => !RULES.some((rule) => rule.id === id));
  if (unknown !== undefined) throw new RangeError(`unknown rule ${unknown}`);
  const conversation = new Conversation(version, isTable(methods) ? methods : methods?.[version]);
  const chosen = RULES.filter(({ versions }) => versions.includes(version)).flatMap((rule) => {
    const own = (version === 2 ? rule.levelInVersion2 : undefined) ?? rule.level;
    const level = Object.hasOwn(levels, rule.id) ? levels[rule.id]! : own;
    const isOff = level === "off" || (level === "note" && !notes);
    const isLeftOut = excerpt && rule.isAboutOneMessage !== true;
    return isOff || isLeftOut ? [] : [{ rule, level, check: rule.check }];
  });
  const rules = new RuleSelection(chosen);
  let last = 0;
  const run = (step: TranscriptStep): Violation[] => {
    const violations: Violation[] = [];
    for (const { rule, level } of rules.of(step))
      for (const { message, path, line = step.line } of rule.check(step, conversation))
        violations.push({
          rule: rule.id,
          level,
          line,
          message,
          ...(path !== undefined && { path }),
        });
    return violations;
  };
  return {
    check: (entry) => {
      last = entry.line ?? last + 1;
      const step = conversation.step(entry, last);
      const violations = run(step);
      conversation.apply(step);
      return violations;
    },
    end: () =>
      run({ ...conversation.step({ from: "client", message: undefined }, last), kind: "end" }),
  };
}

/**
 * Checks a recorded conversation against the behavior rules.
 *
 * A transcript contains the messages in the order in which one observer saw them, so two messages
 * that crossed on the wire may look like a message and its answer. Rules that such pairs can
 * break by accident are warnings.
 *
 * @returns the violations, ordered by line
 * @throws RangeError for the level of an unknown rule
 */
export function checkConformance(
  transcript: Iterable<TranscriptEntry>,
  options: ConformanceOptions = {},
): Violation[] {
  const entries = [...transcript];
  const version = options.version ?? agreedVersion(entries);
  const checker = createConformanceChecker({ ...options, version });
  const violations = entries.flatMap((entry) => checker.check(entry));
  return [...violations, ...checker.end()].sort((one, other) => one.line - other.line);
}

function isTable(methods: ConformanceOptions["methods"]): methods is readonly MethodDescriptor[] {
  return Array.isArray(methods);
}

/** Returns the version in the first response to `initialize`. */
function agreedVersion(entries: readonly TranscriptEntry[]): 1 | 2 {
  const ids = new Set<unknown>();
  for (const { from, message } of entries) {
    const method = textOf(at(message, "method"));
    if (from === "client" && INITIALIZING.includes(method)) ids.add(at(message, "id"));
    const agreed = at(message, "result", "protocolVersion");
    if (from === "agent" && ids.has(at(message, "id")) && typeof agreed === "number")
      return agreed >= 2 ? 2 : 1;
  }
  return 1;
}
