import type { RuleDoc } from "../rule-doc.js";
import { CLIENT } from "./client.js";
import { CONFIG } from "./config.js";
import { ELICITATION } from "./elicitation.js";
import { ENVELOPE } from "./envelope.js";
import { GATES } from "./gates.js";
import { NES } from "./nes.js";
import { PATHS } from "./paths.js";
import { PERMISSION } from "./permission.js";
import { PROMPT } from "./prompt.js";
import { PROXY } from "./proxy.js";
import { SESSION } from "./session.js";
import { START } from "./start.js";
import { WORK } from "./work.js";

/** The rules of one area. */
export interface RuleArea {
  readonly title: string;
  readonly rules: readonly RuleDoc[];
}

/** The documentation of the rules, in the order of the page that lists them. */
export const RULE_AREAS: readonly RuleArea[] = [
  { title: "Messages", rules: ENVELOPE },
  { title: "Start and authentication", rules: START },
  { title: "Capabilities", rules: GATES },
  { title: "Sessions", rules: SESSION },
  { title: "Options of sessions", rules: CONFIG },
  { title: "Prompts", rules: [...PROMPT, ...WORK] },
  { title: "Permissions", rules: PERMISSION },
  { title: "Locations in files", rules: PATHS },
  { title: "Files, terminals and tool calls", rules: CLIENT },
  { title: "Elicitation", rules: ELICITATION },
  { title: "Next edit suggestions", rules: NES },
  { title: "Proxies", rules: PROXY },
];

export const RULE_DOCS: readonly RuleDoc[] = RULE_AREAS.flatMap(({ rules }) => rules);
