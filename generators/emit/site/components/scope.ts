import type { Method } from "../../../model/protocol.js";
import type { Json, JsonObject } from "../../../schema/json-schema/json.js";
import {
  inline,
  jsonBlock,
  prose,
  textLink,
  type CodeBlock,
  type Inline,
} from "../../../output/markup.js";
import { createUniqueNames, relativeUrl, type Url } from "../../../output/url.js";
import { valueId } from "../model/anchor.js";
import { exampleProperties } from "../model/example-properties.js";
import { stepId, type Use } from "../model/type-uses.js";
import type { PageScope, Site, TypeLinks } from "../model/site.js";
import { INDEX_PATH } from "../paths.js";

/**
 * Returns the links, ids and prose of the page at a path.
 *
 * @param path below the profile's folder
 * @returns links throw an Error when asked for a type or method that the protocol does not have
 */
export function createPageScope(site: Site, path: string): PageScope {
  const to = (paths: ReadonlyMap<string, string>, name: string, id?: string): Url => {
    const target = paths.get(name);
    if (target === undefined) throw new Error(`unknown name ${JSON.stringify(name)}`);
    return relativeUrl(path, target, id);
  };
  const find = (code: string): Url | undefined => {
    const target = site.typePaths.get(code) ?? site.methodPaths.get(code);
    return target === undefined || target === path ? undefined : relativeUrl(path, target);
  };
  const isOwn = (page: string): boolean =>
    site.articles.some((article) => article.path === page && article.isOwn === true);
  return {
    site,
    path,
    toType: (name, id) => to(site.typePaths, name, id),
    toMethod: (name, id) => to(site.methodPaths, name, id),
    toIndex: (id) => relativeUrl(path, INDEX_PATH, id),
    toPage: (target, id) => {
      if (!site.paths.has(target)) return undefined;
      // A page of the user in the place of a guide has other parts.
      const hasPart = isOwn(path) || !isOwn(target);
      return relativeUrl(path, target, hasPart ? id : undefined);
    },
    prose: (text) => prose(text, find),
    id: createUniqueNames(".", "exact"),
  };
}

/** The address of a part of a definition. */
export function toUse({ owner, steps, value }: Use, scope: TypeLinks): Url {
  if (value !== undefined) return scope.toType(owner, valueId({ prefix: "", steps }, value));
  return scope.toType(owner, steps.length === 0 ? undefined : stepId(steps));
}

/** Prints a value of a definition; the names of properties lead to their declarations. */
export function exampleCode(value: Json, definition: string, scope: TypeLinks): CodeBlock {
  return jsonBlock(value, propertyLinks(value, definition, scope));
}

/** Prints a message; the names in its params and result lead to their declarations. */
export function messageCode(
  message: JsonObject,
  method: Method | undefined,
  scope: TypeLinks,
): CodeBlock {
  const types = new Map([
    ["params", method?.params],
    ["result", method?.result],
  ]);
  const written = Object.entries(message).filter(([, value]) => value !== undefined);
  const names = written.flatMap(([name, value]) => {
    return [undefined, ...propertyLinks(value, types.get(name), scope)];
  });
  return jsonBlock(message, names);
}

function propertyLinks(
  value: Json,
  definition: string | undefined,
  scope: TypeLinks,
): (Url | undefined)[] {
  return exampleProperties(value, definition, scope.site.definitionOf).map(
    (use) => use && toUse(use, scope),
  );
}

/** The name of a part of a definition: `Type.property.variant.value`. */
export function useWords({ owner, steps, value }: Use): string {
  const names = steps.map(({ name }) => name);
  return [owner, ...names, ...(value === undefined ? [] : [String(value)])].join(".");
}

/** Links to the pages that are about one of some methods and features. */
export function pagesAbout(names: readonly string[], { site, path }: PageScope): readonly Inline[] {
  return site.articles
    .filter(({ about }) => about !== undefined && names.includes(about))
    .map((article) =>
      inline(textLink(article.title, relativeUrl(path, article.path)), `: ${article.summary}`),
    );
}

/** The address of a file outside the profile's folder, by its path below the whole site. */
export function siteUrl(site: Site, path: string, target: string, id?: string): Url {
  return relativeUrl(`${site.protocol.profile}/${path}`, target, id);
}
