export {
  checkConformance,
  createConformanceChecker,
  type ConformanceChecker,
  type ConformanceOptions,
  type Violation,
} from "./check.js";
export type { Conversation } from "./conversation.js";
export type { Finding, Level, Rule, RuleCheck } from "./rules/rule.js";
export { RULES } from "./rules/rules.js";
export type { Call } from "./call.js";
export type { Step } from "./step.js";
export type { NesSession, Session, Terminal } from "./sessions.js";
export { parseTranscript, type Side, type TranscriptEntry } from "./transcript.js";
