import type { Protocol } from "../model/protocol.js";
import type { VirtualFile } from "../output/file.js";

/** What an emitter gets besides the protocol. */
export interface EmitContext {
  /** Text of the templates, by path below `templates/`. */
  readonly templates: ReadonlyMap<string, string>;
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
  readonly emit: (
    protocol: Protocol,
    context: EmitContext,
  ) => readonly EmittedFile[] | Promise<readonly EmittedFile[]>;
}

/** A file as an emitter returns it; the pipeline adds profile and target. */
export type EmittedFile = Pick<VirtualFile, "path" | "text" | "language">;
