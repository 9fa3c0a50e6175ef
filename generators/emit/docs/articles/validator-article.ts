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
    "Paste a JSON-RPC message or a whole transcript and see what is wrong with it. Nothing leaves this page.",
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
        "It runs the decoders that are generated for this profile, in your browser. A message can be valid, valid after what a lenient receiver drops or completes, or invalid. In a transcript, one message a line, answers are checked as results of what they answer, and the whole against the rules of behavior. Every finding leads to the page of the place that it is about.",
      ),
    ),
  ],
};
