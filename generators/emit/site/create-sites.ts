import type { Definition, Protocol } from "../../model/protocol.js";
import type { DefinitionOf } from "../../model/sample/conforms.js";
import { collectExampleValues } from "../../model/sample/example-values.js";
import { referencesOf } from "../../model/visit-shape.js";
import type { DocsSource } from "../../schema/source/docs-source.js";
import { createUniqueNames, fileToken } from "../../output/url.js";
import { sha256 } from "../../output/manifest.js";
import { canonicalJson } from "../../schema/json-schema/json.js";
import { INDEX_PATH } from "./paths.js";
import { findAdditions } from "./model/added-by-features.js";
import type { Article, Errors, PageLink, Site } from "./model/site.js";
import { findCapabilityUses } from "./model/capability-uses.js";
import { findUses } from "./model/type-uses.js";
import type { RuleBook } from "../../schema/source/rule-source.js";
import { NO_SETTINGS, type SiteCode, type SiteSettings } from "../inputs.js";

/** The inputs of a site in addition to the protocol. */
export interface SiteInputs {
  readonly docs: DocsSource;
  readonly rules: RuleBook;
  readonly packageName: string;
  readonly isOwn: boolean;
  /** Whether the registries have acp-codegen and its packages. */
  readonly published?: boolean;
  readonly code: readonly ((protocol: Protocol) => SiteCode)[];
  readonly articles: (site: Site) => readonly Article[];
  /** Files other than pages, such as downloads. */
  readonly files: readonly string[];
  readonly settings?: SiteSettings;
  readonly manual?: readonly PageLink[];
}

/**
 * Gives every page its path and collects the links between pages.
 *
 * @param protocols the protocols that are built together; one site each
 * @returns the sites by profile; each knows the others
 */
export function createSites(
  protocols: readonly Protocol[],
  inputs: SiteInputs,
): ReadonlyMap<string, Site> {
  const sites = new Map<string, Site>();
  for (const protocol of protocols)
    sites.set(protocol.profile, createSite(withEnvelopeFeatures(protocol), inputs, sites));
  // Some pages depend on what is different in the other profiles.
  for (const [profile, site] of sites) sites.set(profile, withArticles(site, inputs));
  return sites;
}

function createSite(
  protocol: Protocol,
  inputs: SiteInputs,
  siblings: ReadonlyMap<string, Site>,
): Site {
  const definitions = new Map(protocol.definitions.map((item) => [item.name, item]));
  const definitionOf: DefinitionOf = (name) => definitions.get(name)!;
  const typePaths = pagePaths("types", definitions.keys());
  const methodPaths = pagePaths(
    "methods",
    protocol.methods.map(({ name }) => name),
  );
  return {
    protocol,
    definitions,
    features: new Map(protocol.features.map((feature) => [feature.name, feature])),
    typePaths,
    methodPaths,
    definitionOf,
    exampleValues: collectExampleValues(protocol, definitionOf),
    uses: findUses(protocol.definitions),
    errors: findErrors(definitions),
    capabilityUses: findCapabilityUses(protocol),
    additions: findAdditions(protocol),
    paths: new Set(),
    articles: [],
    docs: inputs.docs,
    rules: inputs.rules,
    packageName: inputs.packageName,
    isOwn: inputs.isOwn,
    published: inputs.published === true,
    settings: inputs.settings ?? NO_SETTINGS,
    manual: inputs.manual ?? [],
    code: inputs.code.map((make) => make(protocol)),
    digest: sha256(canonicalJson(protocol.schema)),
    siblings,
  };
}

function withArticles(site: Site, { articles: articlesOf, files }: SiteInputs): Site {
  const articles = articlesOf(site);
  const pages = [
    INDEX_PATH,
    ...articles.map(({ path }) => path),
    ...site.typePaths.values(),
    ...site.methodPaths.values(),
  ];
  return {
    ...site,
    articles,
    paths: new Set([...pages, ...pages.map((path) => `${path}.md`), ...files]),
  };
}

/** An envelope whose methods all come from one feature belongs to that feature. */
function withEnvelopeFeatures(protocol: Protocol): Protocol {
  const features = new Map(protocol.definitions.map(({ name, feature }) => [name, feature]));
  const definitions = protocol.definitions.map((definition): Definition => {
    if (!definition.envelope || definition.feature !== undefined) return definition;
    const carried = referencesOf(definition.shape).filter((name) => !PLUMBING.test(name));
    const [first, ...others] = new Set(carried.map((name) => features.get(name)));
    return first === undefined || others.length > 0
      ? definition
      : { ...definition, feature: first };
  });
  return { ...protocol, definitions };
}

/** Definitions that all envelopes refer to. */
const PLUMBING = /^(RequestId|Error|JsonRpc.*|Ext\w+)$/;

/**
 * Assigns one path per name, independent of the order of the names: the segments of the name, with
 * `-` for a lone `$`. On a collision, ignoring case, the later name (in code unit order) gets a number.
 */
function pagePaths(folder: string, names: Iterable<string>): ReadonlyMap<string, string> {
  const unique = createUniqueNames("-", "ignore-case");
  const paths = [...new Set(names)].sort().map((name): [string, string] => {
    const segments = name.split("/").map((part) => (part === "$" ? "-" : fileToken(part)));
    // File systems limit the whole path, not only a segment.
    const path = segments.length > 8 ? fileToken(name) : segments.join("/");
    return [name, `${unique(`${folder}/${path}`)}.html`];
  });
  return new Map(paths);
}

/** Follows the error alternative of a response envelope to its definition and code. */
function findErrors(definitions: ReadonlyMap<string, Definition>): Errors | undefined {
  for (const { envelope, shape } of definitions.values()) {
    if (!envelope || shape.kind !== "union") continue;
    for (const { slot } of shape.variants) {
      const type = referenceIn(slot.shape, "error");
      if (type === undefined) continue;
      const code = referenceIn(definitions.get(type)?.shape, "code");
      const codes = code === undefined ? undefined : definitions.get(code)?.shape;
      return {
        type,
        codes:
          code !== undefined && codes?.kind === "enum" ? { type: code, shape: codes } : undefined,
      };
    }
  }
  return undefined;
}

function referenceIn(shape: Definition["shape"] | undefined, name: string): string | undefined {
  if (shape?.kind !== "object") return undefined;
  const field = shape.fields.find((item) => item.name === name);
  return field?.shape.kind === "reference" ? field.shape.name : undefined;
}
