import type { Rule } from "./rule.js";
import { CLIENT_RULES } from "./client.js";
import { CONFIG_RULES } from "./config.js";
import { ENVELOPE_RULES } from "./envelope.js";
import { ERROR_RULES } from "./errors.js";
import { GATE_RULES } from "./gates.js";
import { NES_RULES } from "./nes.js";
import { PERMISSION_RULES } from "./permission.js";
import { PROMPT_RULES } from "./prompt.js";
import { PROXY_RULES } from "./proxy.js";
import { SESSION_RULES } from "./session.js";
import { START_RULES } from "./start.js";
import { VALUE_RULES } from "./values.js";
import { WORK_RULES } from "./work.js";

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
  ...PERMISSION_RULES,
  ...WORK_RULES,
  ...CLIENT_RULES,
  ...NES_RULES,
  ...PROXY_RULES,
];
