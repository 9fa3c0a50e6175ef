import { capabilitiesArticle } from "./capabilities-article.js";
import { ruleAreaArticles } from "./rule-pages.js";
import { changesArticle, topicArticles } from "./changes-article.js";
import { checklistArticle } from "./checklist-article.js";
import { downloadsArticle } from "./downloads-article.js";
import { errorsArticle } from "./errors-article.js";
import { featuresArticle } from "./features-article.js";
import { flowArticles, flowsArticle } from "./flows-article.js";
import { lifecycleArticle } from "./lifecycle-article.js";
import { rulesArticle } from "./rules-article.js";
import { conventionsOf } from "../model/profile-rules.js";
import { validatorArticle } from "./validator-article.js";
import { flowsOf } from "../model/flow-messages.js";
import { lifecycleOf } from "../model/profile-lifecycle.js";
import { guidesOf, type Guide } from "./guides/read-guides.js";
import type { Article, Site } from "../model/site.js";

/**
 * Returns the pages of a profile other than those of methods and types, in the order of the navigation.
 *
 * @param guides those of all profiles
 * @param hasValidator whether the profile has a validator core
 */
export function articlesOf(
  site: Site,
  guides: readonly Guide[],
  hasValidator: boolean,
): readonly Article[] {
  const own = guidesOf(guides, site);
  const { versionNumber } = site.protocol;
  const hasRules =
    conventionsOf(site).length > 0 ||
    site.rules.rules.some(({ versions }) => versions.includes(versionNumber));
  const generated = [
    ...(lifecycleOf(site) === undefined ? [] : [lifecycleArticle]),
    ...(flowsOf(site).length > 0 ? [flowsArticle, ...flowArticles(site)] : []),
    capabilitiesArticle,
    errorsArticle,
    ...(hasRules ? [rulesArticle, ...ruleAreaArticles(site)] : []),
    featuresArticle,
    changesArticle,
    ...topicArticles(site),
    ...(hasValidator ? [validatorArticle] : []),
    checklistArticle,
    downloadsArticle,
  ];
  const paths = new Set(generated.map(({ path }) => path));
  return [
    ...own.map(({ article }) => article).filter(({ path }) => !paths.has(path)),
    ...generated.map((article) => withGuide(article, own)),
  ];
}

/** A generated page that begins with the guide at its address, if there is one. */
function withGuide(article: Article, guides: readonly Guide[]): Article {
  const guide = guides.find((item) => item.article.path === article.path)?.article;
  if (guide === undefined) return article;
  const { title, summary, group } = guide;
  const blocks: Article["blocks"] = (scope) => [...guide.blocks(scope), ...article.blocks(scope)];
  return { ...article, title, summary, group, blocks };
}
