import { urlToken } from "../../../output/url.js";
import { isOf, type ConventionSource } from "../../../schema/source/docs-source.js";
import type { RuleExample, RuleSource } from "../../../schema/source/rule-source.js";
import type { Site } from "./site.js";

export const RULES_PATH = "rules.html";

/** The rules of conduct of the profile's version. */
export function conventionsOf({ docs, protocol }: Site): readonly ConventionSource[] {
  return docs.conventions.filter((convention) => isOf(convention, protocol.version));
}

/** The rules of the checker that a profile's conversations can keep or break. */
export function rulesOf({ rules, protocol, features, methodPaths }: Site): readonly RuleSource[] {
  return rules.rules.filter(
    (rule) =>
      rule.versions.includes(protocol.versionNumber) &&
      rule.features.every((name) => features.has(name)) &&
      rule.methods.every((name) => methodPaths.has(name)),
  );
}

/** The example of a rule in the version of a profile. */
export function exampleOf(rule: RuleSource, { protocol, features }: Site): RuleExample | undefined {
  return rule.examples.find(
    ({ version, feature }) =>
      version === protocol.versionNumber && (feature === undefined || features.has(feature)),
  );
}

/** The address of the page of an area. */
export function areaPath(area: string): string {
  return `rules/${urlToken(area.toLowerCase().replaceAll(/[ ,]+/g, "-"))}.html`;
}

/** The id of a rule of conduct. */
export function conventionId(id: string): string {
  return `rule-${id}`;
}

/** The id of a rule of the checker. */
export function checkedRuleId(id: string): string {
  return `check-${urlToken(id)}`;
}
