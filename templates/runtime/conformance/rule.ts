import type { Conversation } from "./conversation.js";
import type { Call, Step } from "./step.js";

/** How serious a violation is; `off` leaves a rule out. */
export type Level = "error" | "warning";

/** What a rule objects to. */
export interface Finding {
  readonly message: string;
  /** The JSON pointer to the offending part of the message. */
  readonly path?: string;
  /** The line, where it is not that of the step. */
  readonly line?: number;
}

/** Looks at one step, in the light of all that was before it. */
export type RuleCheck = (step: Step, talk: Conversation) => Iterable<Finding>;

/** A rule of behaviour that a transcript can be held against. */
export interface Rule {
  readonly id: string;
  /** Its numbers in the project's list of rules, and the document that it comes from. */
  readonly source: string;
  readonly level: Level;
  readonly versions: readonly (1 | 2)[];
  readonly check: RuleCheck;
}

export const BOTH = [1, 2] as const;
export const V1 = [1] as const;
export const V2 = [2] as const;

/** A check of requests and notifications with one of these methods. */
export function onSent(methods: readonly string[], check: RuleCheck): RuleCheck {
  return (step, talk) => {
    const isSent = step.kind === "request" || step.kind === "notification";
    return isSent && methods.includes(step.method) ? check(step, talk) : [];
  };
}

/** A check of the successful responses to one of these methods. */
export function onResult(
  methods: readonly string[],
  check: (step: Step & { readonly call: Call }, talk: Conversation) => Iterable<Finding>,
): RuleCheck {
  return (step, talk) => {
    const { call } = step;
    if (step.kind !== "result" || call === undefined || !methods.includes(call.method)) return [];
    return check({ ...step, call }, talk);
  };
}

/** A check of `session/update` notifications, of the given kinds or of all. */
export function onUpdate(kinds: readonly string[], check: RuleCheck): RuleCheck {
  return onSent(["session/update"], (step, talk) =>
    kinds.includes(step.update) ? check(step, talk) : [],
  );
}

/** A check at the end of the transcript. */
export function onEnd(check: (talk: Conversation) => Iterable<Finding>): RuleCheck {
  return (step, talk) => (step.kind === "end" ? check(talk) : []);
}
