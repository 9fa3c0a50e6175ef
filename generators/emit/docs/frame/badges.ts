import type { Method } from "../../../model/protocol.js";
import { inline } from "../../../output/markup.js";
import type { BadgeView } from "./page.js";
import type { Site } from "../site.js";

/** A word behind the name of what a feature adds, in lists without badges; empty for the base. */
export function featureMark(feature: string | undefined, { features }: Site): string {
  return feature === undefined ? "" : ` (${features.get(feature)?.status ?? feature})`;
}

/** The badge of a profile that has more than its stable protocol; none for others. */
export function profileBadges({ protocol }: Site): readonly BadgeView[] {
  const statuses = new Set(protocol.features.map(({ status }) => status));
  const status = (["unstable", "proposed", "frozen"] as const).find((one) => statuses.has(one));
  return status === undefined ? [] : [{ label: inline(status), tone: status }];
}

/** What a profile is, behind its name in text; empty for a stable one. */
export function profileMark(site: Site): string {
  return profileBadges(site)
    .map(({ tone }) => ` (${tone})`)
    .join("");
}

/**
 * How settled a method of the base is; a feature's badge says it of all others.
 *
 * @returns nothing for an imported schema, which does not say (it states no gates either)
 */
export function baseBadges(
  { feature, gate }: Method,
  { docs, protocol }: Site,
): readonly BadgeView[] {
  if (feature !== undefined || gate === undefined) return [];
  const isDraft = docs.drafts[protocol.version] !== undefined;
  return [{ label: inline(isDraft ? "draft" : "stable"), tone: "plain" }];
}
