import { at, textOf } from "./select.js";
import type { MethodDescriptor } from "../methods.js";
import { Conversation, INITIALIZE } from "./conversation.js";
import type { Level } from "./rules/rule.js";
import { RuleSelection } from "./rules/rule-selection.js";
import { RULES } from "./rules/rules.js";
import type { Step } from "./step.js";
import type { TranscriptEntry } from "./transcript.js";

export interface ConformanceOptions {
  /** The version of the protocol; by default what `initialize` agreed on, else 1. */
  readonly version?: 1 | 2;
  /**
   * The `METHODS` of the profile that was spoken, or one table a version where that is not
   * known beforehand. With it, everything that needs a capability is checked against what
   * was advertised; without it, only the capabilities that have rules of their own.
   */
  readonly methods?:
    readonly MethodDescriptor[] | { readonly [Version in 1 | 2]?: readonly MethodDescriptor[] };
  /** Levels by rule, where they are to be others than those of the table. */
  readonly levels?: { readonly [rule: string]: Level | "off" };
}

/** Something in a transcript that is against a rule. */
export interface Violation {
  readonly rule: string;
  readonly level: Level;
  readonly line: number;
  readonly message: string;
  /** The JSON pointer to the offending part of the message. */
  readonly path?: string;
}

/** Looks at a conversation message by message; see `checkConformance`. */
export interface ConformanceChecker {
  /** What the next message, in the light of all that were before it, has against a rule. */
  readonly check: (entry: TranscriptEntry) => readonly Violation[];
  /** What can only be said at the end. Nothing may be checked after it. */
  readonly end: () => readonly Violation[];
}

/**
 * Makes a checker for a conversation that is going on, or one that is too long
 * to be in memory. What it keeps is bounded: rules that would have to know what
 * it has forgotten are silent.
 *
 * @param options the version is 1 when it is absent
 * @throws RangeError for the level of a rule that does not exist
 */
export function createConformanceChecker({
  version = 1,
  methods,
  levels = {},
}: ConformanceOptions = {}): ConformanceChecker {
  const unknown = Object.keys(levels).find((id) => !RULES.some((rule) => rule.id === id));
  if (unknown !== undefined) throw new RangeError(`there is no rule ${unknown}`);
  const talk = new Conversation(version, isTable(methods) ? methods : methods?.[version]);
  const chosen = RULES.filter(({ versions }) => versions.includes(version)).flatMap((rule) => {
    const level = Object.hasOwn(levels, rule.id) ? levels[rule.id]! : rule.level;
    return level === "off" ? [] : [{ rule, level, check: rule.check }];
  });
  const rules = new RuleSelection(chosen);
  let last = 0;
  const look = (step: Step): Violation[] => {
    const violations: Violation[] = [];
    for (const { rule, level } of rules.of(step))
      for (const { message, path, line = step.line } of rule.check(step, talk))
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
      const step = talk.step(entry, last);
      const violations = look(step);
      talk.apply(step);
      return violations;
    },
    end: () => look({ ...talk.step({ from: "client", message: undefined }, last), kind: "end" }),
  };
}

/**
 * Holds a recorded conversation against the rules of behaviour.
 *
 * A transcript has the messages in the order in which one place saw them: two that
 * crossed on their way look like question and answer. Rules that such a pair can
 * break by chance are warnings.
 *
 * @returns what is against a rule, in order of lines
 * @throws RangeError for the level of a rule that does not exist
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

/** The version in the first response to `initialize`. */
function agreedVersion(entries: readonly TranscriptEntry[]): 1 | 2 {
  const ids = new Set<unknown>();
  for (const { from, message } of entries) {
    const method = textOf(at(message, "method"));
    if (from === "client" && INITIALIZE.includes(method)) ids.add(at(message, "id"));
    const agreed = at(message, "result", "protocolVersion");
    if (from === "agent" && ids.has(at(message, "id")) && typeof agreed === "number")
      return agreed >= 2 ? 2 : 1;
  }
  return 1;
}
