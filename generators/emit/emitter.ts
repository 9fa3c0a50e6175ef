import type { Protocol } from "../model/protocol.js";
import type { VirtualFile } from "../output/file.js";
import type { Memo } from "../schema/memo.js";
import type { LoadedInputs, SiteCode } from "./inputs.js";
import type { PackageIdentity } from "./package-facts.js";

/** What every target gets besides the protocols and the inputs that it names. */
export interface EmitContext extends PackageIdentity {
  /** Text of the templates, by path below `templates/`. */
  readonly templates: ReadonlyMap<string, string>;
  /** The version of acp-codegen. */
  readonly version: string;
  /** Whether the registries have acp-codegen and its packages. */
  readonly published?: boolean;
  /** Lines that the user adds at the top of every file that can have comments. */
  readonly header?: readonly string[];
  /** Files of earlier runs that this run keeps: other profiles, other targets. */
  readonly kept?: readonly string[];
  /** Returns the text of a kept file; undefined when it cannot be read. */
  readonly keptText?: (path: string) => string | undefined;
  /** Cache of printed text. */
  readonly memo?: Memo;
  /** Called for each page of a site. */
  readonly onPage?: (profile: string, done: number, total: number) => void;
}

/** Everything that a target can name as an input. */
export interface EmitInputs extends LoadedInputs {
  /**
   * The files of the other targets. A target that names them runs after all that do not, and after
   * those before it that do.
   */
  readonly files: readonly EmittedFile[];
}

export type InputName = keyof EmitInputs;

/** Returns the files of a run. */
type Emit<Inputs> = (
  protocols: readonly Protocol[],
  inputs: Inputs,
  context: EmitContext,
) => readonly EmittedFile[] | Promise<readonly EmittedFile[]>;

/**
 * A target: a pure function from the protocols of a run to files. It never touches the disk, the
 * clock, the environment or the network.
 */
export interface Target<Name extends InputName = InputName> {
  /** The name for `--target`. */
  readonly name: string;
  /** One line for the help text. */
  readonly summary: string;
  /** Targets whose files are imported by the target's files. */
  readonly requires?: readonly string[];
  /** Whether the files are only for protocols with the handshake of ACP, or only for those without. */
  readonly handshake?: "present" | "absent";
  /** Whether the target is emitted only when it is selected by name. */
  readonly onRequest?: true;
  /**
   * Returns the names of definitions, values and properties that differ from what a language would call
   * them, since something else has that name, by path: `Op/<=` for a value, `Op#<=` for a property.
   */
  readonly renames?: (protocol: Protocol) => ReadonlyMap<string, string>;
  /** Makes code for pages of the site. */
  readonly siteCode?: (protocol: Protocol, identity: PackageIdentity) => SiteCode;
  /** The inputs that `emit` reads. */
  readonly inputs?: readonly Name[];
  /** Returns the files of all protocols; called once a run. */
  readonly emit: Emit<Pick<EmitInputs, Name>>;
}

/** A target as it is written: it reads the inputs that it names, `Emitter<"bridge">`, or none. */
export type Emitter<Name extends InputName = never> = Target<Name> &
  ([Name] extends [never] ? unknown : { readonly inputs: readonly Name[] });

/** A file as a target returns it; the pipeline adds the target. */
export type EmittedFile = Omit<VirtualFile, "target">;

/**
 * Makes the function of a target whose files belong to one profile each.
 *
 * @param emit returns the files of a profile
 */
export function perProfile<Inputs>(
  emit: (
    protocol: Protocol,
    inputs: Inputs,
    context: EmitContext,
  ) => readonly ProfileFile[] | Promise<readonly ProfileFile[]>,
): (...given: Parameters<Emit<Inputs>>) => Promise<EmittedFile[]> {
  return async (protocols, inputs, context) => {
    const files: EmittedFile[] = [];
    // One profile after the other, since they share memoized texts.
    for (const protocol of protocols)
      for (const file of await emit(protocol, inputs, context))
        files.push({ ...file, profile: protocol.profile });
    return files;
  };
}

/** A file of the profile that `perProfile` passes. */
export type ProfileFile = Omit<EmittedFile, "profile">;

/**
 * Returns the text of a template.
 *
 * @param path below `templates/`
 * @throws Error when there is no such template
 */
export function templateText(path: string, templates: EmitContext["templates"]): string {
  const text = templates.get(path);
  if (text === undefined) throw new Error(`the template ${path} is missing`);
  return text;
}
