export {
  checkConformance,
  createConformanceChecker,
  type ConformanceChecker,
  type ConformanceOptions,
  type Violation,
} from "./check.js";
export type { Conversation } from "./conversation.js";
export type { RuleFinding, Level, Rule, RuleCheck } from "./rules/rule.js";
export { RULES } from "./rules/rules.js";
export type { Call } from "./call.js";
export type { TranscriptStep } from "./step.js";
export type { NesSession, ObservedSession, ObservedTerminal } from "./sessions.js";
export { parseTranscript, type Side, type TranscriptEntry } from "./transcript.js";
