import type { Definition, Feature, Protocol } from "../../model/protocol.js";
import type { DefinitionOf } from "../../model/sample/conforms.js";
import type { ExampleValues } from "../../model/sample/example-values.js";
import type { EnumShape } from "../../model/shape.js";
import type { Inline } from "../../output/markup.js";
import type { Url } from "../../output/url.js";
import type { DocsSource } from "../../schema/source/docs-source.js";
import type { RuleBook } from "../../schema/source/rule-source.js";
import type { Opening } from "./facts/capability-uses.js";
import type { Use } from "./facts/references.js";
import type { Block } from "./parts/block.js";

/** What every page of a profile's site needs to know about the others. */
export interface Site {
  readonly protocol: Protocol;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly features: ReadonlyMap<string, Feature>;
  /** The page of each definition, below the profile's folder. */
  readonly typePaths: ReadonlyMap<string, string>;
  /** The page of each method name; what shares a name shares a page. */
  readonly methodPaths: ReadonlyMap<string, string>;
  /** Finds one that there is; what was found out about values is remembered by it. */
  readonly definitionOf: DefinitionOf;
  /** The values that examples show. */
  readonly seen: ExampleValues;
  readonly uses: ReadonlyMap<string, readonly Use[]>;
  readonly errors: Errors | undefined;
  /** What capabilities open. */
  readonly openings: ReadonlyMap<string, readonly Opening[]>;
  /** What features add to types that exist without them. */
  readonly additions: ReadonlyMap<string, readonly Use[]>;
  /** Every file, below the profile's folder. */
  readonly paths: ReadonlySet<string>;
  /** The pages that are not those of methods and types. */
  readonly articles: readonly Article[];
  readonly docs: DocsSource;
  readonly rules: RuleBook;
  /** What programs import the bindings from. */
  readonly packageName: string;
  /** SHA-256 of the published schema. */
  readonly digest: string;
  /** The other profiles that are built together with this one, and this one, by name. */
  readonly siblings: ReadonlyMap<string, Site>;
}

/** How a request fails: the definition of the error and, where it is listed, of its code. */
export interface Errors {
  readonly type: string;
  readonly codes: { readonly type: string; readonly shape: EnumShape } | undefined;
}

/** A page that is no page of a method or type. */
export interface Article {
  /** Below the profile's folder. */
  readonly path: string;
  readonly title: string;
  /** For the head of the page, as plain text. */
  readonly summary: string;
  /** Where the navigation has it. */
  readonly group: "learn" | "reference" | "tools" | "hidden";
  readonly blocks: (scope: PageScope) => readonly Block[];
  /** Scripts that it needs beside that of every page. */
  readonly scripts?: readonly string[];
}

/** What a text needs to lead to types of a profile. */
export interface TypeLinks {
  readonly site: Site;
  readonly toType: (name: string, id?: string) => Url;
}

/** What the parts of one page are written with: addresses as seen from it, ids that stay apart. */
export interface PageScope extends TypeLinks {
  readonly path: string;
  readonly toMethod: (name: string, id?: string) => Url;
  readonly toIndex: (id?: string) => Url;
  /** Any other page or file of the profile, by its path; nothing when the site has none there. */
  readonly toPage: (path: string, id?: string) => Url | undefined;
  /** The prose of a schema, with the names of types and methods as links. */
  readonly prose: (text: string) => readonly Inline[];
  /** An id that no other part of the page has. */
  readonly id: (wanted: string) => string;
}
