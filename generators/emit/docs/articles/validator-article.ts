import { inline } from "../../../output/markup.js";
import { paragraph } from "../parts/block.js";
import type { Article } from "../site-types.js";
import { VALIDATOR_PATH } from "../frame/paths.js";

export const VALIDATOR_CORE_PATH = "assets/validator-core.js";
export const ANCHORS_PATH = "assets/anchors.js";
export const TRANSCRIPT_PATH = "assets/transcript.js";
export const VALIDATOR_SCRIPT_PATH = "assets/validator.js";
export const SAMPLES_PATH = "assets/samples.js";

/** Checks messages in the page itself, with the generated decoders. */
export const validatorArticle: Article = {
  path: VALIDATOR_PATH,
  title: "Validator",
  summary:
    "Check a JSON-RPC message or a transcript, one message per line. The text does not leave this page.",
  group: "tools",
  scripts: [
    VALIDATOR_CORE_PATH,
    SAMPLES_PATH,
    ANCHORS_PATH,
    TRANSCRIPT_PATH,
    VALIDATOR_SCRIPT_PATH,
  ],
  blocks: () => [
    paragraph(
      inline(
        "The decoders of this profile run in your browser. A message is valid, valid after the repairs of a lenient receiver, or invalid. Paste a transcript (one message per line) to check responses against their requests and the conversation against the rules. Every finding links to its place in the reference.",
      ),
    ),
  ],
};
