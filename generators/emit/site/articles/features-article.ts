import type { Feature } from "../../../model/protocol.js";
import { codeSpan, inline, phrase, textLink, type Inline } from "../../../output/markup.js";
import { externalUrl, isExternal, urlToken } from "../../../output/url.js";
import { bullets, heading, names, paragraph, paragraphs, type Block } from "../blocks/block.js";
import { capabilityUseLine } from "./capabilities-article.js";
import type { Article, PageScope } from "../model/site.js";
import { FEATURES_PATH } from "../paths.js";
import { isImported } from "../layout/identity.js";
import { pagesAbout, toUse, useWords } from "../components/scope.js";

/** The features of a profile. */
export const featuresArticle: Article = {
  path: FEATURES_PATH,
  title: "Features",
  summary:
    "The opt-in features of this profile: their additions, their status and their proposals.",
  group: "reference",
  blocks: (scope) => {
    const { features, upstream } = scope.site.protocol;
    if (features.length === 0) {
      const reason = isImported(upstream)
        ? "An imported schema does not say which of its parts are features."
        : "This profile is the stable protocol: it has no opt-in features.";
      return [paragraph(inline(reason))];
    }
    return features.flatMap((feature) => featureBlocks(feature, scope));
  },
};

function featureBlocks(feature: Feature, scope: PageScope): readonly Block[] {
  const { name, title, status, description, proposal } = feature;
  const { protocol, additions } = scope.site;
  const methods = protocol.methods.filter((method) => method.feature === name);
  const types = protocol.definitions.filter((definition) => definition.feature === name);
  const list = (caption: string, items: readonly Inline[]): readonly Block[] =>
    items.length === 0 ? [] : [paragraph(inline(caption)), ...names(items)];
  return [
    heading(scope.id(`feature-${urlToken(name)}`), inline(title), {
      badges: [{ label: inline(status), tone: status }],
    }),
    ...paragraphs(scope.prose(description)),
    paragraph(phrase`Name: ${codeSpan(name)}.`),
    ...(proposal === undefined ? [] : [paragraph(phrase`Proposal: ${addressOf(proposal)}`)]),
    ...bullets(pagesAbout([name], scope)),
    ...list(
      "Methods:",
      methods.map((method) => capabilityUseLine({ kind: "method", method }, scope)),
    ),
    ...list(
      "Properties, variants and values that it adds to other types:",
      (additions.get(name) ?? []).map((use) => inline(codeSpan(useWords(use), toUse(use, scope)))),
    ),
    ...list(
      "Types:",
      types.map((type) => inline(codeSpan(type.name, scope.toType(type.name)))),
    ),
  ];
}

function addressOf(proposal: string): Inline {
  const isLink = isExternal(proposal);
  return inline(isLink ? textLink(proposal, externalUrl(proposal)) : codeSpan(proposal));
}
