import type { Rule } from "./rule.js";
import { CLIENT_RULES } from "./rules-client.js";
import { ENVELOPE_RULES } from "./rules-envelope.js";
import { NES_RULES } from "./rules-nes.js";
import { PROMPT_RULES } from "./rules-prompt.js";
import { SESSION_RULES } from "./rules-session.js";
import { START_RULES } from "./rules-start.js";
import { VALUE_RULES } from "./rules-values.js";

/** All rules of behaviour that a transcript is held against. */
export const RULES: readonly Rule[] = [
  ...ENVELOPE_RULES,
  ...START_RULES,
  ...VALUE_RULES,
  ...SESSION_RULES,
  ...PROMPT_RULES,
  ...CLIENT_RULES,
  ...NES_RULES,
];
