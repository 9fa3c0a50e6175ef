import type { Method, Protocol } from "../model/protocol.js";
import type { CodeBlock } from "../output/markup.js";
import type { VirtualFile } from "../output/file.js";
import type { BridgeSource } from "../schema/bridge/bridge-source.js";
import type { BehaviorSource } from "../schema/source/behavior-source.js";
import type { Memo } from "../schema/memo.js";
import type { DocsSource } from "../schema/source/docs-source.js";
import type { RuleBook } from "../schema/source/rule-source.js";

/** The metadata of a package that users publish under their own name. */
export interface PackageFacts {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  /** An SPDX expression. */
  readonly license?: string;
  /** A URL. */
  readonly repository?: string;
}

/** The default name of the generated package, which the templates use. */
export const DEFAULT_PACKAGE = "acp-bindings";

/** The input of an emitter besides the protocol. */
export interface EmitContext {
  /** Text of the templates, by path below `templates/`. */
  readonly templates: ReadonlyMap<string, string>;
  /** The version of acp-codegen. */
  readonly version: string;
  /** Metadata that replaces the template's in the package's manifest. */
  readonly package?: PackageFacts;
  /** Lines that the user adds at the top of every file that can have comments. */
  readonly header?: readonly string[];
  /** The address where the site will be, without a slash at its end. */
  readonly siteUrl?: string;
  /** Files of earlier runs that this run keeps: other profiles, other targets. */
  readonly kept?: readonly string[];
  /** Returns the text of a kept file; undefined when it cannot be read. */
  readonly keptText?: (path: string) => string | undefined;
  /** Cache of printed text. */
  readonly memo?: Memo;
  /** All protocols of this run; set by the pipeline. */
  readonly protocols?: readonly Protocol[];
  /** How version 1 and version 2 correspond; absent where the schema does not say. */
  readonly bridge?: BridgeSource;
  /** Scripts of wire messages; absent where the schema has none. */
  readonly behavior?: BehaviorSource;
  /** Texts of the documentation besides the schema. */
  readonly docs?: DocsSource;
  /** The rules of the conformance checker, with common mistakes. */
  readonly rules?: RuleBook;
  /** Scripts with the decoders by profile, for the page that validates messages. */
  readonly validatorCores?: ReadonlyMap<string, string>;
  /** The codecs by profile, for the expected answers of the corpus. */
  readonly codecs?: ReadonlyMap<string, Codec>;
  /** The script that searches the site's index. */
  readonly searchCore?: string;
  /** The code that pages of the site show in addition to TypeScript, one function per language. */
  readonly siteCode?: readonly ((protocol: Protocol) => SiteCode)[];
}

/** How programs in one language use the definitions of a profile. */
export interface SiteCode {
  /** The name of the language, for readers. */
  readonly language: string;
  readonly syntax: CodeBlock["language"];
  /** Returns the import of a definition and its declaration, which leaves the documentation out. */
  readonly ofDefinition: (name: string) => readonly CodeSample[];
  /** Returns the handler of a method and its call. */
  readonly ofMethod: (method: Method) => readonly CodeSample[];
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

/**
 * A target: a pure function from the protocol to files. It never touches the
 * disk, the clock, the environment or the network.
 */
export interface Emitter {
  /** The name for `--target`. */
  readonly name: string;
  /** One line for the help text. */
  readonly summary: string;
  /** Targets whose files are imported by the target's files. */
  readonly requires?: readonly string[];
  /** Whether the target is emitted only when it is selected by name. */
  readonly onRequest?: true;
  /** Makes code for pages of the site. */
  readonly siteCode?: (protocol: Protocol) => SiteCode;
  /** Returns the files of one profile. */
  readonly emit: (
    protocol: Protocol,
    context: EmitContext,
  ) => readonly EmittedFile[] | Promise<readonly EmittedFile[]>;
  /** Returns the files that all profiles share; called after all other files were emitted. */
  readonly finish?: (
    protocols: readonly Protocol[],
    files: readonly EmittedFile[],
    context: EmitContext,
  ) => readonly EmittedFile[] | Promise<readonly EmittedFile[]>;
}

/** A file as an emitter returns it; the pipeline adds profile and target. */
export type EmittedFile = Pick<VirtualFile, "path" | "text" | "language" | "template"> & {
  /** Set by `finish` for a file that belongs to one profile after all. */
  readonly profile?: string;
};
