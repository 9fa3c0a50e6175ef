import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import type { ShownSource } from "../../../schema/source/rule-source.js";
import { heading, paragraph, table, type Block } from "../parts/block.js";
import { siteUrl, type PageScope } from "../frame/page.js";
import { partId } from "../facts/anchor.js";
import type { Site } from "../site.js";
import { profileMark } from "../frame/badges.js";
import { checkedRuleId } from "./checked-rules.js";

/**
 * What is often said of the protocol and is wrong, with what it says instead.
 * All of them stand in every version: whoever believes one does not know which it is of.
 */
export function correctionBlocks(scope: PageScope): readonly Block[] {
  const { corrections } = scope.site.rules;
  if (corrections.length === 0) return [];
  return [
    heading(scope.id("corrections"), inline("What older lists get wrong")),
    paragraph(
      inline(
        "Summaries of the protocol that go around say these things. The published protocol counts, and says otherwise.",
      ),
    ),
    ...table(
      "Corrections",
      ["Believed", "What the protocol says", "Shown by"],
      corrections.map(({ statement, instead, source, shown }) => ({
        cells: [
          inline(...scope.prose(statement)),
          inline(...scope.prose(instead)),
          { lines: [...shownBy(shown, scope), inline(`Source: ${source}.`)], badges: [] },
        ],
      })),
    ),
  ];
}

/** A link to the rule or the type; nothing where no page of the site shows it. */
function shownBy(shown: ShownSource, scope: PageScope): readonly Inline[] {
  const { site, path } = scope;
  if ("rule" in shown) {
    const rule = site.rules.rules.find(({ id }) => id === shown.rule);
    if (rule === undefined) return [];
    const isHere = rule.versions.includes(site.protocol.versionNumber);
    const other = [...site.siblings.values()].find(({ protocol }) =>
      rule.versions.includes(protocol.versionNumber),
    );
    const id = checkedRuleId(rule.id);
    if (isHere) return [inline("rule ", codeSpan(rule.id, relativeUrl(path, path, id)))];
    if (other === undefined) return [];
    return [
      inline(
        "rule ",
        codeSpan(rule.id, siteUrl(site, path, `${other.protocol.profile}/${path}`, id)),
        ` of ${other.protocol.title}${profileMark(other)}`,
      ),
    ];
  }
  const other = site.siblings.get(shown.profile);
  const owner: Site | undefined =
    site.protocol.version === shown.profile && site.definitions.has(shown.definition)
      ? site
      : other;
  const page = owner?.typePaths.get(shown.definition);
  if (owner === undefined || page === undefined) return [];
  const id =
    shown.property === undefined
      ? undefined
      : partId({ prefix: "", steps: [] }, { kind: "field", name: shown.property });
  const name = [shown.definition, ...(shown.property === undefined ? [] : [shown.property])];
  const url = siteUrl(site, path, `${owner.protocol.profile}/${page}`, id);
  const where = owner === site ? [] : [` of ${owner.protocol.title}${profileMark(owner)}`];
  return [inline(textLink(name.join("."), url), ...where)];
}
