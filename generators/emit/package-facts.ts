import type { Language } from "../output/languages.js";

/** The metadata of packages that users publish under their own names. */
export interface PackageFacts {
  /** The npm name. */
  readonly name?: string;
  /** A semantic version. */
  readonly version?: string;
  readonly description?: string;
  /** An SPDX expression. */
  readonly license?: string;
  /** Authors, `Name <address>` each. */
  readonly authors?: readonly string[];
  /** A URL. */
  readonly homepage?: string;
  /** A URL. */
  readonly repository?: string;
  /** A URL. */
  readonly bugs?: string;
}

/** The metadata of the package of one language; what is absent is that of the npm package. */
export interface LanguageFacts {
  /** The name to install it by. */
  readonly name?: string;
  /** The name to import it by. */
  readonly module?: string;
  readonly version?: string;
  readonly description?: string;
}

/** Texts of the user's own that take the place of the generated ones. */
export interface PackageTexts {
  readonly license?: string;
  readonly changelog?: string;
  /** The README of the npm package. */
  readonly readme?: string;
  /** The READMEs of the packages of other languages. */
  readonly readmes?: { readonly [language in Language]?: string };
}

/** Everything that says whose the packages of a run are. */
export interface PackageIdentity {
  readonly package?: PackageFacts;
  readonly languages?: { readonly [language in Language]?: LanguageFacts };
  readonly texts?: PackageTexts;
}

/** The default name of the generated package, which the templates use. */
export const DEFAULT_PACKAGE = "acp-bindings";

/** The default name by which the packages of other languages are imported. */
export const DEFAULT_MODULE = "acp_bindings";

/** The license of acp-codegen and its templates. */
const DEFAULT_LICENSE = "Apache-2.0";

/** Of a package of the user's own that has no version: never the compiler's. */
const NO_VERSION = "0.0.0";

/** Returns the name of the npm package. */
export function npmName({ package: own }: PackageIdentity): string {
  return own?.name ?? DEFAULT_PACKAGE;
}

/** The names of the package of one language. */
export interface LanguageNames {
  /** The name to install it by. */
  readonly distribution: string;
  /** The name to import it by. */
  readonly module: string;
}

/**
 * Returns the names of the package of a language. They follow from the npm name when they are absent:
 * `@me/acp` gives `me-acp` and `me_acp`.
 */
export function languageNames(identity: PackageIdentity, language: Language): LanguageNames {
  const own = identity.languages?.[language];
  const distribution = own?.name ?? npmName(identity).replace(/^@/, "").replaceAll("/", "-");
  const words = distribution.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return { distribution, module: own?.module ?? words.replace(/^(?=[0-9])/, "_") };
}

/** Returns whether a package is the user's own, and so says nothing of acp-codegen's authors. */
export function isOwnPackage(identity: PackageIdentity): boolean {
  const names = Object.values(identity.languages ?? {}).map(({ name }) => name);
  return [npmName(identity), ...names].some(
    (name) => (name ?? DEFAULT_PACKAGE) !== DEFAULT_PACKAGE,
  );
}

/**
 * Returns what the READMEs of packages ask for: whether a package is the user's `own`, and whether
 * readers install it from a registry, `published`. A user's own package counts as published.
 *
 * @param context with `published` once the registries have the packages of acp-codegen
 */
export function installationFacts(
  context: PackageIdentity & { readonly published?: boolean },
): readonly string[] {
  if (isOwnPackage(context)) return ["own", "published"];
  return context.published === true ? ["published"] : [];
}

/**
 * Returns the version of a package: the user's, for the user's own packages never the compiler's.
 *
 * @param compiler the version of acp-codegen
 */
export function versionOf(
  identity: PackageIdentity,
  own: string | undefined,
  compiler: string,
): string {
  return own ?? (isOwnPackage(identity) ? NO_VERSION : compiler);
}

/** Returns the SPDX expression of a package; undefined for a package of the user's own without one. */
export function licenseOf(identity: PackageIdentity): string | undefined {
  return identity.package?.license ?? (isOwnPackage(identity) ? undefined : DEFAULT_LICENSE);
}

/** Returns the text of a package's license; undefined where only the user has it. */
export function licenseText(
  context: PackageIdentity & { readonly templates: ReadonlyMap<string, string> },
): string | undefined {
  const isDefault = licenseOf(context) === DEFAULT_LICENSE;
  return context.texts?.license ?? (isDefault ? context.templates.get("LICENSE") : undefined);
}
