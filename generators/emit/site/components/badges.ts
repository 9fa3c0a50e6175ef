import { inline, textLink } from "../../../output/markup.js";
import { relativeUrl, urlToken, type Url } from "../../../output/url.js";
import type { BadgeView } from "../blocks/badge-view.js";
import { inlineText } from "../blocks/block.js";
import type { PageScope, Site } from "../model/site.js";
import { FEATURES_PATH } from "../paths.js";

/** A word behind the name of what a feature adds, in lists without badges; empty for the base. */
export function featureMark(feature: string | undefined, { features }: Site): string {
  return feature === undefined ? "" : ` (${features.get(feature)?.status ?? feature})`;
}

/** The badges of a profile: whether its version is a draft, and the status of its features. */
export function profileBadges({ docs, protocol }: Site): readonly BadgeView[] {
  const isDraft = docs.drafts[protocol.version] !== undefined;
  const draft = isDraft ? [{ label: inline("draft"), tone: "draft" as const }] : [];
  const statuses = new Set(protocol.features.map(({ status }) => status));
  const status = (["unstable", "proposed", "frozen", "vendor"] as const).find((one) =>
    statuses.has(one),
  );
  return [...draft, ...(status === undefined ? [] : [{ label: inline(status), tone: status }])];
}

/** The stability of a profile as a suffix of its name; empty for a stable one. */
export function profileMark(site: Site): string {
  return profileBadges(site)
    .map(({ label }) => ` (${inlineText(label)})`)
    .join("");
}

/** The badge of an addition of a feature; none for the base. */
export function featureBadges(feature: string | undefined, { site, path }: PageScope): BadgeView[] {
  return featureBadgesOf(feature, site, `${site.protocol.profile}/${path}`);
}

/**
 * The badge of something that a feature adds to one profile, on any page.
 *
 * @param path of the page that shows it, below the whole site
 */
export function featureBadgesOf(
  feature: string | undefined,
  site: Site,
  path: string,
): BadgeView[] {
  if (feature === undefined) return [];
  const known = site.features.get(feature);
  if (known === undefined) return [{ label: inline(feature), tone: "unstable" }];
  const link = textLink(known.title, toFeature(feature, site, path));
  return [{ label: inline(link, ` (${known.status})`), tone: known.status }];
}

/** The address of a feature's description, as seen from any page. */
export function toFeature(name: string, site: Site, path: string): Url {
  const page = `${site.protocol.profile}/${FEATURES_PATH}`;
  return relativeUrl(path, page, `feature-${urlToken(name)}`);
}
