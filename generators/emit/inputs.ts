import type { Method, Protocol } from "../model/protocol.js";
import type { CodeBlock } from "../output/markup.js";
import type { BridgeSource } from "../schema/bridge/bridge-source.js";
import type { BehaviorSource } from "../schema/source/behavior-source.js";
import type { DocsSource } from "../schema/source/docs-source.js";
import type { RuleBook } from "../schema/source/rule-source.js";

/** The scripts of a profile's validator page that are bundled from modules. */
export interface ValidatorScripts {
  /** The checks of the profile, and the reader of captures. */
  readonly core: string;
  /** The view of conversations. */
  readonly timeline: string;
}

/**
 * The inputs of targets besides the protocols, by name. A run loads those that its targets name;
 * each has a loader in `run/targets/load-inputs.ts`.
 */
export interface LoadedInputs {
  /** How version 1 and version 2 correspond; undefined where the schema does not say. */
  readonly bridge: BridgeSource | undefined;
  /** Scripts of wire messages; undefined for an imported schema. */
  readonly behavior: BehaviorSource | undefined;
  /** The codecs by profile, for the expected answers of the corpus. */
  readonly codecs: ReadonlyMap<string, Codec>;
  readonly siteTexts: SiteTexts;
  /** Scripts with the decoders by profile, for the page that validates messages. */
  readonly validatorCores: ReadonlyMap<string, ValidatorScripts>;
  /** The script that searches the site's index. */
  readonly searchCore: string;
  /** The code that pages of the site show, one function per language. */
  readonly siteCode: readonly ((protocol: Protocol) => SiteCode)[];
  readonly site: SiteSettings;
}

/** How a site presents itself: the options of a configuration, with the files that they name. */
export interface SiteSettings {
  /** The address where the site will be, without a slash at its end. */
  readonly url: string | undefined;
  /** The title of a site of the user; absent for that of acp-codegen. */
  readonly title: string | undefined;
  /** The logo as an SVG document. */
  readonly logo: string | undefined;
  /** The target of the title in the header, an address or a path from the site's folder. */
  readonly home: string | undefined;
  /** The target of "Report a mistake", where pages have it; `{page}` stands for the path of the page. */
  readonly report: string | undefined;
  /** Colors by the name of their custom property in the stylesheet, without its dashes. */
  readonly colors: ReadonlyMap<string, SiteColor>;
  /** The user's Markdown pages, by the paths that messages name. */
  readonly pages: ReadonlyMap<string, string>;
  /** Whether the site has the manual of acp-codegen. */
  readonly manual: boolean;
  /** Links to earlier releases of the site. */
  readonly releases: readonly SiteLink[];
  /** Links at the end of every page. */
  readonly links: readonly SiteLink[];
  /** The address of the picture that previews of links show. */
  readonly image: string | undefined;
}

/** A CSS color for each mode. */
export interface SiteColor {
  readonly light: string;
  readonly dark: string;
}

export interface SiteLink {
  readonly title: string;
  readonly url: string;
}

/** The settings of a site without options. */
export const NO_SETTINGS: SiteSettings = {
  url: undefined,
  title: undefined,
  logo: undefined,
  home: undefined,
  report: undefined,
  colors: new Map(),
  pages: new Map(),
  manual: true,
  releases: [],
  links: [],
  image: undefined,
};

/** The texts of the site. Those that do not fit an imported schema are left out. */
export interface SiteTexts {
  /** Texts of the documentation besides the schema. */
  readonly docs: DocsSource;
  /** The rules of the conformance checker, with common mistakes. */
  readonly rules: RuleBook;
  /** The guides and the templates of the pages; scripts and styles are minified. */
  readonly templates: ReadonlyMap<string, string>;
}

/** How programs in one language use the definitions of a profile. */
export interface SiteCode {
  /** The name of the language, for readers. */
  readonly language: string;
  readonly syntax: CodeBlock["language"];
  /** Whether properties have the names that they have in messages. */
  readonly hasWireNames: boolean;
  /** Returns the import of a definition and its declaration, which leaves the documentation out. */
  readonly ofDefinition: (name: string) => readonly CodeSample[];
  /** Returns the handler of a method and its call. */
  readonly ofMethod: (method: Method) => readonly CodeSample[];
  /** Puts the names of the profile and of the package into a program of a guide. */
  readonly named: (text: string) => string;
  /** Returns the definition that a word of the code names. */
  readonly definitionOf: (word: string) => string | undefined;
}

/** A piece of code and what it is. */
export interface CodeSample {
  readonly caption: string;
  readonly text: string;
}

/** What the generated package does with values of a profile's definitions. */
export interface Codec {
  /** Decodes a value leniently. */
  readonly decode: (
    definition: string,
    value: unknown,
  ) =>
    | { readonly ok: true; readonly value: unknown; readonly notes: readonly CodecReport[] }
    | { readonly ok: false; readonly issues: readonly CodecReport[] };
  /** Validates a value strictly and returns the issues. */
  readonly validate: (definition: string, value: unknown) => readonly CodecReport[];
  /** Returns why a value must not be sent; empty when it may be sent as it is. */
  readonly refuse: (definition: string, value: unknown) => readonly CodecReport[];
}

/** A note or an issue. */
export interface CodecReport {
  readonly kind?: "repaired" | "kept";
  readonly pointer: string;
  readonly rule: string;
}
