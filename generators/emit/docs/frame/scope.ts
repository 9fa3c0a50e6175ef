import { prose } from "../../../output/markup.js";
import { createNames, relativeUrl, type Url } from "../../../output/url.js";
import { valueId } from "../facts/anchor.js";
import { stepId, type Use } from "../facts/type-uses.js";
import type { PageScope, Site, TypeLinks } from "../site-types.js";
import { INDEX_PATH } from "./paths.js";

/**
 * Returns the links, ids and prose of the page at a path.
 *
 * @param path below the profile's folder
 * @returns links throw an Error when asked for a type or method that the protocol does not have
 */
export function createScope(site: Site, path: string): PageScope {
  const to = (paths: ReadonlyMap<string, string>, name: string, id?: string): Url => {
    const target = paths.get(name);
    if (target === undefined) throw new Error(`unknown name ${JSON.stringify(name)}`);
    return relativeUrl(path, target, id);
  };
  const find = (code: string): Url | undefined => {
    const target = site.typePaths.get(code) ?? site.methodPaths.get(code);
    return target === undefined || target === path ? undefined : relativeUrl(path, target);
  };
  return {
    site,
    path,
    toType: (name, id) => to(site.typePaths, name, id),
    toMethod: (name, id) => to(site.methodPaths, name, id),
    toIndex: (id) => relativeUrl(path, INDEX_PATH, id),
    toPage: (target, id) => (site.paths.has(target) ? relativeUrl(path, target, id) : undefined),
    prose: (text) => prose(text, find),
    id: createNames(".", "exact"),
  };
}

/** The address of a part of a definition. */
export function toUse({ owner, steps, value }: Use, scope: TypeLinks): Url {
  if (value !== undefined) return scope.toType(owner, valueId({ prefix: "", steps }, value));
  return scope.toType(owner, steps.length === 0 ? undefined : stepId(steps));
}

/** The name of a part of a definition: `Type.property.variant.value`. */
export function useWords({ owner, steps, value }: Use): string {
  const names = steps.map(({ name }) => name);
  return [owner, ...names, ...(value === undefined ? [] : [String(value)])].join(".");
}

/** The address of a file outside the profile's folder, by its path below the whole site. */
export function siteUrl(site: Site, path: string, target: string, id?: string): Url {
  return relativeUrl(`${site.protocol.profile}/${path}`, target, id);
}
