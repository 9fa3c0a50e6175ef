import { capabilitiesArticle } from "./capabilities-article.js";
import { changesArticle } from "./changes-article.js";
import { checklistArticle } from "./checklist-article.js";
import { downloadsArticle } from "./downloads-article.js";
import { errorsArticle } from "./errors-article.js";
import { featuresArticle } from "./features-article.js";
import { flowsArticle } from "./flows-article.js";
import { lifecycleArticle } from "./lifecycle-article.js";
import { rulesArticle } from "./rules-article.js";
import { validatorArticle } from "./validator-article.js";
import { flowsOf } from "../facts/flow-messages.js";
import { lifecycleOf } from "../facts/profile-lifecycle.js";
import { readGuides, appliesTo } from "./guide.js";
import type { Article, Site } from "../site-types.js";

/**
 * Returns the pages of a profile other than those of methods and types, in the order of the navigation.
 *
 * @param templates hold the guides
 * @param hasValidator whether the profile has a validator core
 */
export function articlesOf(
  site: Site,
  templates: ReadonlyMap<string, string>,
  hasValidator: boolean,
): readonly Article[] {
  const guides = readGuides(templates).filter((guide) => appliesTo(guide, site));
  const of = (group: Article["group"]): readonly Article[] =>
    guides.map(({ article }) => article).filter((article) => article.group === group);
  const hasRules = site.docs.conventions.length + site.rules.rules.length > 0;
  return [
    ...of("learn"),
    ...(lifecycleOf(site) === undefined ? [] : [lifecycleArticle]),
    ...(flowsOf(site).length > 0 ? [flowsArticle] : []),
    capabilitiesArticle,
    errorsArticle,
    ...(hasRules ? [rulesArticle] : []),
    ...of("reference"),
    featuresArticle,
    changesArticle,
    ...(hasValidator ? [validatorArticle] : []),
    checklistArticle,
    downloadsArticle,
  ];
}
