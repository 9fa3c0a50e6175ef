import type { Protocol } from "../../../model/protocol.js";
import { NO_DOCS } from "../../../schema/source/docs-source.js";
import type { RuleBook } from "../../../schema/source/rule-source.js";
import { DEFAULT_PACKAGE } from "../../package-facts.js";
import { appliesTo, isForVersion, readGuides } from "../articles/guides/read-guides.js";
import { exampleOf, rulesOf } from "../articles/checked-rules.js";
import { createSites } from "../create-sites.js";
import { guideProblems, ruleExampleProblems } from "./check-docs.js";

/** Texts of the site that speak of messages or types that a schema does not have. */
export interface Unfit {
  /** The paths of guides among the templates. */
  readonly guides: ReadonlySet<string>;
  /** The ids of rules of the conformance checker. */
  readonly rules: ReadonlySet<string>;
}

/**
 * Finds the guides and rules of a protocol version that do not fit an imported schema, such as one
 * of an earlier release. They are written for the canonical schema.
 */
export function findUnfit(
  protocol: Protocol,
  templates: ReadonlyMap<string, string>,
  rules: RuleBook,
): Unfit {
  const sites = createSites([protocol], {
    ...{ docs: NO_DOCS, rules, packageName: DEFAULT_PACKAGE, code: [], files: [] },
    articles: () => [],
  });
  const site = sites.get(protocol.profile)!;
  const known = new Set(
    rulesOf(site).filter(
      (rule) =>
        (rule.methods.length > 0 || exampleOf(rule, site) !== undefined) &&
        ruleExampleProblems(rule, site).length === 0,
    ),
  );
  return {
    guides: new Set(
      readGuides(templates)
        .filter((guide) => isForVersion(guide, site))
        .filter((guide) => !appliesTo(guide, site) || guideProblems(guide, site).length > 0)
        .map(({ file }) => file),
    ),
    rules: new Set(
      rules.rules
        .filter((rule) => rule.versions.includes(protocol.versionNumber) && !known.has(rule))
        .map(({ id }) => id),
    ),
  };
}
