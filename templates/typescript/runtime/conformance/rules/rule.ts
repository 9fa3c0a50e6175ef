import type { Conversation } from "../conversation.js";
import type { Call } from "../call.js";
import type { TranscriptStep } from "../step.js";

/**
 * How serious a violation is. An error contradicts the protocol, a warning is nearly always a
 * mistake, a note is allowed but handled differently by receivers.
 */
export type Level = "error" | "warning" | "note";

/** A violation of a rule. */
export interface RuleFinding {
  readonly message: string;
  /** The JSON pointer to the offending part of the message. */
  readonly path?: string;
  /** The line, where it is not that of the step. */
  readonly line?: number;
}

/** The steps that a check applies to. */
export interface RuleScope {
  readonly kinds: readonly TranscriptStep["kind"][];
  /** The methods of calls, and of responses those of their requests; any when absent. */
  readonly methods?: readonly string[];
  /** The kinds of updates in `session/update`; any when absent. */
  readonly updates?: readonly string[];
}

/** Checks one step, given the conversation before it. */
export interface RuleCheck {
  (step: TranscriptStep, conversation: Conversation): Iterable<RuleFinding>;
  /** Absent when the check applies to every step. */
  readonly scope?: RuleScope;
}

/** A rule of behavior that transcripts are checked against. */
export interface Rule {
  readonly id: string;
  /** The title of the document that states the rule, and of its section. */
  readonly source: string;
  readonly level: Level;
  /** Given where version 2 is less certain about the rule. */
  readonly levelInVersion2?: Level;
  readonly versions: readonly (1 | 2)[];
  /** Present when a message breaks the rule by itself, whatever the conversation around it. */
  readonly isAboutOneMessage?: true;
  readonly check: RuleCheck;
}

export const BOTH = [1, 2] as const;
export const V1 = [1] as const;
export const V2 = [2] as const;

const SENT = ["request", "notification"] as const;

/** The method whose messages are of many kinds. */
export const UPDATE = "session/update";

/** A check of the steps of some kinds. */
export function onKinds(
  kinds: RuleScope["kinds"],
  check: (step: TranscriptStep, conversation: Conversation) => Iterable<RuleFinding>,
): RuleCheck {
  return onScope({ kinds }, check);
}

function onScope(
  scope: RuleScope,
  check: (step: TranscriptStep, conversation: Conversation) => Iterable<RuleFinding>,
): RuleCheck {
  const { kinds, methods, updates } = scope;
  const isMeant = (step: TranscriptStep): boolean =>
    kinds.includes(step.kind) &&
    (methods === undefined || methods.includes(step.method)) &&
    (updates === undefined || step.method !== UPDATE || updates.includes(step.update));
  return Object.assign(
    (step: TranscriptStep, conversation: Conversation) =>
      isMeant(step) ? check(step, conversation) : [],
    { scope },
  );
}

/** A check of the requests, notifications and results of some methods, and of some kinds of updates. */
export function onMessages(
  scope: Required<Pick<RuleScope, "methods" | "updates">>,
  check: (step: TranscriptStep, conversation: Conversation) => Iterable<RuleFinding>,
): RuleCheck {
  return onScope({ ...scope, kinds: [...SENT, "result"] }, check);
}

/** A check of requests and notifications, with one of these methods or with any. */
export function onSent(
  methods: readonly string[] | undefined,
  check: (step: TranscriptStep, conversation: Conversation) => Iterable<RuleFinding>,
): RuleCheck {
  return onScope({ kinds: SENT, ...(methods && { methods }) }, check);
}

/** A check of the successful responses to one of these methods. */
export function onResult(
  methods: readonly string[],
  check: (
    step: TranscriptStep & { readonly call: Call },
    conversation: Conversation,
  ) => Iterable<RuleFinding>,
): RuleCheck {
  return onScope({ kinds: ["result"], methods }, (step, conversation) => {
    const { call } = step;
    return call === undefined ? [] : check({ ...step, call }, conversation);
  });
}

/** A check of `session/update` notifications of the given kinds. */
export function onUpdate(
  kinds: readonly string[],
  check: (step: TranscriptStep, conversation: Conversation) => Iterable<RuleFinding>,
): RuleCheck {
  return onScope({ kinds: SENT, methods: [UPDATE], updates: kinds }, check);
}

/** A check at the end of the transcript. */
export function onEnd(check: (conversation: Conversation) => Iterable<RuleFinding>): RuleCheck {
  return onKinds(["end"], (_, conversation) => check(conversation));
}
