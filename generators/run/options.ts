import type { LanguageFacts, PackageFacts } from "../emit/package-facts.js";
import type { Language } from "../output/languages.js";
import type { AllowedForm } from "../schema/import/allowed-forms.js";
import type { Undecided } from "../schema/import/find-methods.js";
import type { SiteColor, SiteLink } from "../emit/inputs.js";
import type { Protocol } from "../model/protocol.js";
import type { ImportExtension, Layout } from "../output/layout.js";

/** Selects what to compose. By default: every named profile. */
export interface Selection {
  /** Named profiles. */
  readonly profiles?: readonly string[];
  /** The protocol version of a custom selection, e.g. `v1`. */
  readonly protocol?: string;
  /** Features to turn on, by name or as the path of a feature file. */
  readonly with?: readonly string[];
  /** Features to turn off, by name. */
  readonly without?: readonly string[];
  /** The name of a custom selection; `<profile>-custom` when absent. */
  readonly name?: string;
  /** The path of a schema in upstream's format, to use instead of the canonical schema. */
  readonly schema?: string;
  /** The path of the `meta.json` that belongs to `schema`. */
  readonly meta?: string;
  /** The path of a file that decides what the messages of `schema` do not say about its methods. */
  readonly methods?: string;
  /** Keywords of `schema` to ignore although the dialect does not know them. */
  readonly allowUnknownKeywords?: readonly string[];
  /** Forms that `schema` may have although the canonical schema never has them; they are checked. */
  readonly allow?: readonly AllowedForm[];
  /** Names of values (`Op/<=`) and properties (`Op#<=`) that would have those of others in some languages, by path. */
  readonly names?: { readonly [path: string]: string };
  /** The name of the type that the root of `schema` is; its title or its file when absent. */
  readonly rootName?: string;
  /** The files of documents that `schema` refers to, by their addresses; those in and below its folder are found. */
  readonly refs?: { readonly [address: string]: string };
  /** The folder of the canonical schema; the one that comes with the tool when absent. */
  readonly schemaDirectory?: string;
}

/** Selects where to write, and what. */
export interface OutputOptions extends LanguagePackages {
  /** The output folder; `out` when absent. */
  readonly out?: string;
  /** Built-in targets by name, custom targets by path; every default target when absent. */
  readonly targets?: readonly string[];
  /** The layout of files below the output folder; `package` when absent. */
  readonly layout?: Layout;
  /** The extension in imports of the flat layout; `js` when absent. */
  readonly importExtension?: ImportExtension;
  /** What the generated packages say about themselves, e.g. the npm name. */
  readonly package?: PackageOptions;
  /** Lines to put at the top of generated TypeScript and Markdown. */
  readonly header?: readonly string[];
  /** How the documentation site presents itself. */
  readonly site?: SiteOptions;
}

/** The metadata of the generated packages, and the paths of texts of the user's own. */
export interface PackageOptions extends PackageFacts {
  /** The path of the license's text. */
  readonly licenseFile?: string;
  /** The path of a changelog. */
  readonly changelog?: string;
  /** The path of a README, in place of the generated one. */
  readonly readme?: string;
}

/** What only the package of a language says about itself, by language. */
type LanguagePackages = { readonly [language in Language]?: LanguageOptions };

/** The metadata of the package of a language, and the path of its README. */
export interface LanguageOptions extends LanguageFacts {
  readonly readme?: string;
}

/** The options of a site; `schema/dialect/config.schema.json` describes the values. */
export interface SiteOptions {
  /** The address where the site will be; adds `sitemap.xml`. */
  readonly url?: string;
  /** The title of the site, and of a custom selection. */
  readonly title?: string;
  /** The path of an SVG or PNG file. */
  readonly logo?: string;
  /** The target of the title in the header: an address, or a path from the site's folder. */
  readonly home?: string;
  /** The target of "Report a mistake"; `false` leaves it out. */
  readonly report?: string | false;
  /** Colors, for both modes or for each. */
  readonly colors?: { readonly [token in SiteColorName]?: string | SiteColor };
  /** The path of a folder with Markdown pages. */
  readonly pages?: string;
  /** Whether the site has the manual of acp-codegen; when absent, only a site of its own packages has it. */
  readonly manual?: boolean;
  /** Links to earlier releases of the site. */
  readonly releases?: readonly SiteLink[];
  /** Links at the end of every page. */
  readonly links?: readonly SiteLink[];
  /** The address of the picture that previews of links show. */
  readonly image?: string;
}

export type SiteColorName = "text" | "muted" | "page" | "soft" | "line" | "link";

/** Controls how a run works. */
export interface RunOptions {
  /** The targets whose code a site shows; all when absent. */
  readonly documented?: readonly string[];
  /** Compare only, without writing. */
  readonly check?: boolean;
  /** Overwrite or remove files that no run has generated, or that were changed since. */
  readonly force?: boolean;
  /** Called after each step, and for each file of a long one. */
  readonly onProgress?: (step: ProgressStep) => void;
}

/** A step of a run. */
export type ProgressStep =
  | ({ readonly kind: "waiting" } & HeldLock)
  | { readonly kind: "promoted"; readonly text: string }
  | { readonly kind: "renamed"; readonly names: ReadonlyMap<string, string> }
  | { readonly kind: "renamed-parts"; readonly names: ReadonlyMap<string, string> }
  | {
      readonly kind: "renamed-in-target";
      readonly target: string;
      readonly names: ReadonlyMap<string, string>;
    }
  | { readonly kind: "allowed"; readonly forms: AllowedCounts }
  | { readonly kind: "lost"; readonly parts: Lost }
  | { readonly kind: "undecided"; readonly methods: Undecided }
  | { readonly kind: "without-roles"; readonly targets: readonly string[] }
  | { readonly kind: "built"; readonly protocol: Protocol }
  | ({ readonly kind: "omitted" } & OmittedTexts)
  | { readonly kind: "contrast"; readonly found: readonly LowContrast[] }
  | {
      readonly kind: "running";
      readonly what: string;
      readonly done: number;
      readonly total: number;
    }
  | { readonly kind: "compiled"; readonly files: number };

/** How often an imported schema has a form that was allowed; without those that it does not have. */
export type AllowedCounts = { readonly [form in AllowedForm]?: number };

/** What the output does not have of an imported schema. */
export interface Lost {
  /** The keywords that are not checked, with the number of their places. */
  readonly unchecked?: Readonly<Record<string, number>>;
  /** The places of defaults that do not fit. */
  readonly defaults?: readonly string[];
  /** The number of references with keywords beside them that draft-07 ignores. */
  readonly siblings?: number;
}

/** Texts of the site that are left out, since the samples in them do not fit the schema or the selection. */
export interface OmittedTexts {
  /** The names of guides. */
  readonly guides: readonly string[];
  /** The ids of flows. */
  readonly flows: readonly string[];
  /** The ids of rules. */
  readonly rules: readonly string[];
}

export interface GenerateOptions extends Selection, OutputOptions, RunOptions {}

/** A text that is hard to read on the background of a page. */
export interface LowContrast {
  /** The name of the color in the configuration. */
  readonly color: string;
  readonly mode: "light" | "dark";
  /** The contrast, rounded down to tenths; at least 4.5 is readable (WCAG 2.2, 1.4.3). */
  readonly ratio: number;
}

/** A lock that another run holds. */
export interface HeldLock {
  readonly pid: number;
  /** The host of that run; absent when it is this one. */
  readonly host?: string;
  /** The file to remove if that run has ended. */
  readonly file: string;
}
