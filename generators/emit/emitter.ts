import type { Protocol } from "../model/protocol.js";
import type { VirtualFile } from "../output/file.js";
import type { Memo } from "../schema/memo.js";
import type { DocsSource } from "../schema/source/docs-source.js";
import type { RuleBook } from "../schema/source/rule-source.js";

/** What people say about a package that they publish under their own name. */
export interface PackageFacts {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  /** An SPDX expression. */
  readonly license?: string;
  /** A URL. */
  readonly repository?: string;
}

/** The name that the generated package has in the templates, and unless somebody gives it another. */
export const DEFAULT_PACKAGE = "acp-bindings";

/** What an emitter gets besides the protocol. */
export interface EmitContext {
  /** Text of the templates, by path below `templates/`. */
  readonly templates: ReadonlyMap<string, string>;
  /** The version of acp-codegen. */
  readonly version: string;
  /** What the package's manifest says instead of the template's. */
  readonly package?: PackageFacts;
  /** Lines of the user's own at the top of every file that can have comments. */
  readonly header?: readonly string[];
  /** Files of earlier runs that this one leaves alone: other profiles, other targets. */
  readonly kept?: readonly string[];
  /** Returns the text of a kept file; undefined when it cannot be read. */
  readonly keptText?: (path: string) => string | undefined;
  /** What was printed before. */
  readonly memo?: Memo;
  /** Everything that this run is made from; set by the pipeline. */
  readonly protocols?: readonly Protocol[];
  /** What the documentation says beyond the schema. */
  readonly docs?: DocsSource;
  /** The rules of the conformance checker, and what people get wrong. */
  readonly rules?: RuleBook;
  /** A script with the decoders, for the page that checks messages, by profile. */
  readonly validatorCores?: ReadonlyMap<string, string>;
}

/**
 * A target: a pure function from the protocol to files. It never touches the
 * disk, the clock, the environment or the network.
 */
export interface Emitter {
  /** What `--target` takes. */
  readonly name: string;
  /** One line for the help text. */
  readonly summary: string;
  /** Targets whose files its own ones import. */
  readonly requires?: readonly string[];
  /** Whether it is made only when it is asked for by name. */
  readonly onRequest?: true;
  /** The files of one profile. */
  readonly emit: (
    protocol: Protocol,
    context: EmitContext,
  ) => readonly EmittedFile[] | Promise<readonly EmittedFile[]>;
  /** The files that all profiles share, made after everything else. */
  readonly finish?: (
    protocols: readonly Protocol[],
    files: readonly EmittedFile[],
    context: EmitContext,
  ) => readonly EmittedFile[] | Promise<readonly EmittedFile[]>;
}

/** A file as an emitter returns it; the pipeline adds profile and target. */
export type EmittedFile = Pick<VirtualFile, "path" | "text" | "language"> & {
  /** Set by `finish` for a file that belongs to one profile after all. */
  readonly profile?: string;
};
