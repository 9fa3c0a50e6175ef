import type { Definition, Feature, Protocol } from "../../../model/protocol.js";
import type { DefinitionOf } from "../../../model/sample/conforms.js";
import type { ExampleValues } from "../../../model/sample/example-values.js";
import type { EnumShape } from "../../../model/shape.js";
import type { Inline } from "../../../output/markup.js";
import type { Url } from "../../../output/url.js";
import type { DocsSource } from "../../../schema/source/docs-source.js";
import type { SiteCode, SiteSettings } from "../../inputs.js";
import type { RuleBook } from "../../../schema/source/rule-source.js";
import type { CapabilityUse } from "./capability-uses.js";
import type { Use } from "./type-uses.js";
import type { Block } from "../blocks/block.js";

/** A profile with everything that its pages say about each other. */
export interface Site {
  readonly protocol: Protocol;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly features: ReadonlyMap<string, Feature>;
  /** The page of each definition, below the profile's folder. */
  readonly typePaths: ReadonlyMap<string, string>;
  /** The page of each method name; what shares a name shares a page. */
  readonly methodPaths: ReadonlyMap<string, string>;
  /** Finds an existing definition; caches of sample checks are keyed by this function. */
  readonly definitionOf: DefinitionOf;
  /** The values that examples show. */
  readonly exampleValues: ExampleValues;
  readonly uses: ReadonlyMap<string, readonly Use[]>;
  readonly errors: Errors | undefined;
  /** The methods and parts of types that need a capability, by capability. */
  readonly capabilityUses: ReadonlyMap<string, readonly CapabilityUse[]>;
  /** Additions of features to existing types, by feature. */
  readonly additions: ReadonlyMap<string, readonly Use[]>;
  /** Every file, below the profile's folder. */
  readonly paths: ReadonlySet<string>;
  /** The pages other than those of methods and types. */
  readonly articles: readonly Article[];
  readonly docs: DocsSource;
  readonly rules: RuleBook;
  /** The package that programs import the bindings from. */
  readonly packageName: string;
  /** Whether the packages are the user's own, whose readers need no acp-codegen. */
  readonly isOwn: boolean;
  /** Whether the registries have acp-codegen and its packages. */
  readonly published: boolean;
  readonly settings: SiteSettings;
  /** The manual: its pages are above the profiles. */
  readonly manual: readonly PageLink[];
  /** The code of programs, by language. */
  readonly code: readonly SiteCode[];
  /** SHA-256 of the published schema. */
  readonly digest: string;
  /** The other profiles that are built together with this one, and this one, by name. */
  readonly siblings: ReadonlyMap<string, Site>;
}

/** The definition of errors and, where it is listed, of their codes. */
export interface Errors {
  readonly type: string;
  readonly codes: { readonly type: string; readonly shape: EnumShape } | undefined;
}

/** A page above the profiles. */
export interface PageLink {
  /** Below the whole site. */
  readonly path: string;
  readonly title: string;
  /** Its group in the navigation: how to use the packages, or how to use the tool. */
  readonly group: "packages" | "manual";
}

/** A page other than those of methods and types. */
export interface Article {
  /** Below the profile's folder. */
  readonly path: string;
  readonly title: string;
  /** For the head of the page, as plain text. */
  readonly summary: string;
  /** The group of the page in the navigation. */
  readonly group: "learn" | "flows" | "concepts" | "reference" | "tools" | "hidden";
  readonly blocks: (scope: PageScope) => readonly Block[];
  /** Whether it is a page of the user, whose parts no other page knows. */
  readonly isOwn?: true;
  /** The method or feature that it is about, where it is about a single one. */
  readonly about?: string;
  /** Scripts in addition to that of every page. */
  readonly scripts?: readonly string[];
}

/** Links to the types of a profile. */
export interface TypeLinks {
  readonly site: Site;
  readonly toType: (name: string, id?: string) => Url;
}

/** Links as seen from one page, and ids that are unique on it. */
export interface PageScope extends TypeLinks {
  readonly path: string;
  readonly toMethod: (name: string, id?: string) => Url;
  readonly toIndex: (id?: string) => Url;
  /** Any other page or file of the profile by its path; undefined when the site does not have it. */
  readonly toPage: (path: string, id?: string) => Url | undefined;
  /** The prose of a schema, with the names of types and methods as links. */
  readonly prose: (text: string) => readonly Inline[];
  /** An id that no other part of the page has. */
  readonly id: (wanted: string) => string;
}
