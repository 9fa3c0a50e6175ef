import { codeSpan, inline, phrase, textLink } from "../../../output/markup.js";
import { paragraph, type Block } from "../blocks/block.js";
import { siteUrl } from "../components/scope.js";
import type { Article, PageScope } from "../model/site.js";
import { VALIDATOR_PATH } from "../paths.js";

/** The scripts of the page, in an order in which each finds what it needs. */
const SCRIPTS = ["validator-core", "samples", "anchors", "hints", "transcript", "validator"];
/** The page of the manual about the same checks at the command line. */
const INSPECT_PATH = "tool/inspect.html";

/** Checks messages in the page itself, with the generated checks. */
export const validatorArticle: Article = {
  path: VALIDATOR_PATH,
  title: "Validator",
  summary:
    "Check a JSON-RPC message or a transcript, one message per line. The text does not leave this page.",
  group: "tools",
  scripts: SCRIPTS.map((name) => `assets/${name}.js`),
  blocks: (scope) => [
    { form: true },
    paragraph(
      inline(
        "There are two verdicts. The first says whether the message may be sent: whether it is valid against the published schema. The second says what a lenient receiver does with it by the schema’s decoding flags: accept it unchanged, accept it after repairs, or reject it. Everything runs in your browser. Paste a transcript or a log to check responses against their requests and the conversation against the rules: prefixes, code fences and the other lines of a log are skipped. A conversation is shown as a timeline, with the messages of both sides, the open calls and the findings in place. Every finding links to its place in the reference.",
      ),
    ),
    ...inspectLink(scope),
  ],
};

/** Leads to the command for captures, which are too large or too secret for a page. */
function inspectLink({ site, path }: PageScope): readonly Block[] {
  const page = site.manual.find((one) => one.path === INSPECT_PATH);
  if (page === undefined) return [];
  const link = textLink(page.title, siteUrl(site, path, page.path));
  const command = codeSpan("acp-codegen inspect");
  return [paragraph(phrase`The command ${command} checks large captures: see ${link}.`)];
}
