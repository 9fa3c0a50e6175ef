import type { Protocol } from "../../../model/protocol.js";
import type { RuleSource } from "../../../schema/source/rule-source.js";
import { DEFAULT_PACKAGE } from "../../package-facts.js";
import type { SiteTexts } from "../../inputs.js";
import { appliesTo, isForVersion, readGuides } from "../articles/guides/read-guides.js";
import { conventionsOf, exampleOf, rulesOf } from "../model/profile-rules.js";
import { createSites } from "../create-sites.js";
import { flowsOf } from "../model/flow-messages.js";
import type { Site } from "../model/site.js";
import {
  conventionProblems,
  flowProblems,
  guideProblems,
  ruleExampleProblems,
} from "./check-docs.js";

/** Texts of the site whose samples a protocol does not have, or that it allows where they show a mistake. */
export interface Unfit {
  /** The paths of guides among the templates. */
  readonly guides: readonly string[];
  readonly flows: readonly string[];
  readonly conventions: readonly string[];
  readonly rules: readonly string[];
}

/**
 * Finds the texts that do not fit a protocol that they were not written for: a selection of
 * features, or an imported schema such as one of an earlier release.
 *
 * @param isImported whether the schema does not say which features it has, so that also texts
 *   about what it lacks are unfit; other sites say that these are about features that are off
 */
export function findUnfit(
  protocol: Protocol,
  { templates, docs, rules }: SiteTexts,
  isImported: boolean,
): Unfit {
  const sites = createSites([protocol], {
    ...{ docs, rules, packageName: DEFAULT_PACKAGE, isOwn: false, code: [], files: [] },
    articles: () => [],
  });
  const site = sites.get(protocol.profile)!;
  const guides = readGuides(templates).filter((guide) =>
    isImported ? isForVersion(guide, site) : appliesTo(guide, site),
  );
  const candidates = isImported
    ? rules.rules.filter(({ versions }) => versions.includes(protocol.versionNumber))
    : rulesOf(site);
  const isFit = (rule: RuleSource): boolean =>
    isAbout(rule, site, isImported) && ruleExampleProblems(rule, site).length === 0;
  return {
    guides: guides
      .filter((guide) => !appliesTo(guide, site) || guideProblems(guide, site).length > 0)
      .map(({ file }) => file),
    flows: idsWithout(flowsOf(site), (flow) => flowProblems(flow, site).length === 0),
    conventions: idsWithout(
      conventionsOf(site),
      (item) => conventionProblems(item, site).length === 0,
    ),
    rules: idsWithout(candidates, isFit),
  };
}

/** Returns the texts without those that do not fit. */
export function withoutUnfit({ templates, docs, rules }: SiteTexts, unfit: Unfit): SiteTexts {
  const without = <T extends { readonly id: string }>(
    items: readonly T[],
    ids: readonly string[],
  ) => items.filter(({ id }) => !ids.includes(id));
  return {
    templates: new Map([...templates].filter(([path]) => !unfit.guides.includes(path))),
    docs: {
      ...docs,
      flows: without(docs.flows, unfit.flows),
      conventions: without(docs.conventions, unfit.conventions),
    },
    rules: { rules: without(rules.rules, unfit.rules) },
  };
}

/** Whether the conversations of a site can keep or break a rule. */
function isAbout(rule: RuleSource, site: Site, isImported: boolean): boolean {
  if (!isImported) return true;
  return (
    rulesOf(site).includes(rule) && (rule.methods.length > 0 || exampleOf(rule, site) !== undefined)
  );
}

function idsWithout<T extends { readonly id: string }>(
  items: readonly T[],
  isFit: (item: T) => boolean,
): readonly string[] {
  return items.filter((item) => !isFit(item)).map(({ id }) => id);
}
