import { capabilitiesArticle } from "../articles/capabilities.js";
import { changesArticle } from "../articles/changes.js";
import { checklistArticle } from "../articles/checklist.js";
import { downloadsArticle } from "../articles/downloads.js";
import { errorsArticle } from "../articles/errors.js";
import { featuresArticle } from "../articles/features.js";
import { flowsArticle } from "../articles/flows.js";
import { lifecycleArticle } from "../articles/lifecycle.js";
import { rulesArticle } from "../articles/rules.js";
import { validatorArticle } from "../articles/validator.js";
import { flowsOf } from "../facts/flow.js";
import { lifecycleOf } from "../facts/lifecycle.js";
import { readGuides, suits } from "../guide.js";
import type { Article, Site } from "../site-types.js";

/**
 * The pages of a profile beside those of its methods and types, in the order of the navigation.
 *
 * @param templates hold the guides
 * @param hasChecker whether there is something for the validator to run
 */
export function articlesOf(
  site: Site,
  templates: ReadonlyMap<string, string>,
  hasChecker: boolean,
): readonly Article[] {
  const guides = readGuides(templates).filter((guide) => suits(guide, site));
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
    ...(hasChecker ? [validatorArticle] : []),
    checklistArticle,
    downloadsArticle,
  ];
}
