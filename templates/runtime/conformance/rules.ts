import type { Rule } from "./rule.js";
import { CLIENT_RULES } from "./rules-client.js";
import { CONFIG_RULES } from "./rules-config.js";
import { ENVELOPE_RULES } from "./rules-envelope.js";
import { ERROR_RULES } from "./rules-errors.js";
import { GATE_RULES } from "./rules-gates.js";
import { NES_RULES } from "./rules-nes.js";
import { PROMPT_RULES } from "./rules-prompt.js";
import { PROXY_RULES } from "./rules-proxy.js";
import { SESSION_RULES } from "./rules-session.js";
import { START_RULES } from "./rules-start.js";
import { VALUE_RULES } from "./rules-values.js";
import { WORK_RULES } from "./rules-work.js";

/** All rules of behaviour that a transcript is held against. */
export const RULES: readonly Rule[] = [
  ...ENVELOPE_RULES,
  ...START_RULES,
  ...VALUE_RULES,
  ...GATE_RULES,
  ...SESSION_RULES,
  ...CONFIG_RULES,
  ...ERROR_RULES,
  ...PROMPT_RULES,
  ...WORK_RULES,
  ...CLIENT_RULES,
  ...NES_RULES,
  ...PROXY_RULES,
];
