import type { RuleDoc } from "../rule-doc.js";
import { CLIENT } from "./client.js";
import { CONFIG } from "./config.js";
import { ENVELOPE } from "./envelope.js";
import { GATES } from "./gates.js";
import { NES } from "./nes.js";
import { PERMISSION } from "./permission.js";
import { PROMPT } from "./prompt.js";
import { PROXY } from "./proxy.js";
import { SESSION } from "./session.js";
import { START } from "./start.js";
import { WORK } from "./work.js";

/** What people read about the rules, in the order of a page about them. */
export const RULE_DOCS: readonly RuleDoc[] = [
  ...ENVELOPE,
  ...START,
  ...GATES,
  ...SESSION,
  ...CONFIG,
  ...PROMPT,
  ...WORK,
  ...PERMISSION,
  ...CLIENT,
  ...NES,
  ...PROXY,
];
