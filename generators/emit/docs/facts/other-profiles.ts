import { inline, textLink, type Inline } from "../../../output/markup.js";
import { diffSchemas } from "../../../schema/compare/diff.js";
import type { JsonSchema } from "../../../schema/json-schema/json.js";
import { profileMark } from "../frame/badges.js";
import { siteUrl } from "../frame/scope.js";
import type { PageScope, Site } from "../site-types.js";

/** Links to the methods of the same name in other profiles. */
export function methodInOtherProfiles(name: string, scope: PageScope): readonly Inline[] {
  return others(scope).map((site) => {
    const path = site.methodPaths.get(name);
    if (path === undefined) return inline(`${site.protocol.title}: the method does not exist.`);
    const same = methodFacts(name, site) === methodFacts(name, scope.site);
    return inline(
      linkTo(site, path, scope),
      profileMark(site),
      same ? ": the same types and gate." : ": other types, or another gate.",
    );
  });
}

/** Links to the types of the same name in other profiles, each with the number of differences. */
export function typeInOtherProfiles(name: string, scope: PageScope): readonly Inline[] {
  const own = scope.site.protocol.schema.$defs?.[name];
  return others(scope).map((site) => {
    const path = site.typePaths.get(name);
    const theirs = site.protocol.schema.$defs?.[name];
    if (path === undefined || own === undefined || theirs === undefined)
      return inline(`${site.protocol.title}: the type does not exist.`);
    return inline(linkTo(site, path, scope), `${profileMark(site)}: ${differs(own, theirs)}.`);
  });
}

function others({ site }: PageScope): readonly Site[] {
  return [...site.siblings.values()].filter(
    ({ protocol }) => protocol.profile !== site.protocol.profile,
  );
}

function linkTo(site: Site, path: string, scope: PageScope): ReturnType<typeof textLink> {
  return textLink(
    site.protocol.title,
    siteUrl(scope.site, scope.path, `${site.protocol.profile}/${path}`),
  );
}

function differs(own: JsonSchema, theirs: JsonSchema): string {
  const count = diffSchemas(own, theirs).filter(
    ({ pointer }) => !pointer.endsWith("/order"),
  ).length;
  if (count === 0) return "the same";
  return count === 1 ? "one difference" : `${count} differences`;
}

function methodFacts(name: string, { protocol }: Site): string {
  return JSON.stringify(
    protocol.methods
      .filter((method) => method.name === name)
      .map(({ side, kind, params, result, gate }) => [side, kind, params, result, gate]),
  );
}
