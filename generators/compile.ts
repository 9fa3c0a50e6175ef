import type { EmitContext, EmitInputs, EmittedFile, InputName, Target } from "./emit/emitter.js";
import { isCustomTarget, customTargetError } from "./emit/custom-target.js";
import type { LoadedInputs } from "./emit/inputs.js";
import type { Protocol } from "./model/protocol.js";
import { escapeBidi, isOutputPath, type VirtualFile } from "./output/file.js";
import { formatFile } from "./output/format.js";
import { withHeader } from "./output/header.js";
import { placeFiles, type ImportExtension, type Layout } from "./output/layout.js";

/**
 * Compiles protocols to finished files, in memory.
 *
 * @param protocols the models, one for each profile
 * @param targets the emitters to run
 * @param inputs those that the targets name
 * @param context the context of the emitters
 * @param layout where the files stand
 * @param importExtension in the imports of the flat layout
 * @returns the files sorted by path, with header, formatted
 * @throws Error when two emitters claim the same path or print text that does not parse; an
 *   InputError when that is a custom target
 */
export async function compile<Name extends InputName>(
  protocols: readonly Protocol[],
  targets: readonly Target<Name>[],
  inputs: Pick<LoadedInputs, Name & keyof LoadedInputs>,
  context: EmitContext,
  layout: Layout = "package",
  importExtension: ImportExtension = "js",
): Promise<VirtualFile[]> {
  const run = async (target: Target<Name>, files: readonly EmittedFile[]): Promise<Made> => {
    const named = namedInputs(target, { ...inputs, files });
    return finishFiles(await target.emit(protocols, named, context), target, context);
  };
  // At once, since some wait for a thread.
  const made = await Promise.all(
    targets.filter((target) => !readsFiles(target)).map((target) => run(target, [])),
  );
  for (const target of targets.filter(readsFiles)) {
    const others = made.flatMap(({ files }) => files);
    made.push(await run(target, others));
  }
  const files = placeFiles(
    made.flatMap(({ finished }) => finished),
    layout,
    importExtension,
  );
  refuseSharedPaths(files, targets);
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readsFiles({ inputs = [] }: Pick<Target, "inputs">): boolean {
  return inputs.includes("files");
}

/** Returns the inputs that a target names, so that it never depends on the other targets of a run. */
function namedInputs<Name extends InputName>(
  { inputs = [] }: Target<Name>,
  all: object,
): Pick<EmitInputs, Name> {
  const named = Object.entries(all).filter(([name]) => inputs.includes(name as Name));
  return Object.fromEntries(named) as Pick<EmitInputs, Name>;
}

/** The files of a target, as emitted and finished. */
interface Made {
  readonly files: readonly VirtualFile[];
  readonly finished: readonly VirtualFile[];
}

async function finishFiles(
  emitted: readonly EmittedFile[],
  target: Pick<Target, "name">,
  { header, memo }: EmitContext,
): Promise<Made> {
  const files = emitted.map((file) => ({ ...file, target: target.name }));
  const unsafe = files.find(({ path }) => !isOutputPath(path));
  if (unsafe !== undefined) {
    throw new Error(`not a safe path below the output folder: ${JSON.stringify(unsafe.path)}`);
  }
  try {
    const finished: VirtualFile[] = [];
    // One after the other, since they share memoized texts.
    for (const file of files)
      finished.push(await formatFile(escapeBidi(withHeader(file, header)), memo));
    return { files, finished };
  } catch (error) {
    if (!isCustomTarget(target)) throw error;
    // The first line; the others show the text, with the notice at its top.
    throw customTargetError(target.file, (error as Error).message.split("\n", 1)[0]!, error);
  }
}

/**
 * Throws when two files have one path, or a path is both a file and a folder. Paths that differ
 * only in case are one: the disks of macOS and Windows do not distinguish them.
 */
function refuseSharedPaths(
  files: readonly VirtualFile[],
  targets: readonly Pick<Target, "name">[],
): void {
  const claimed = new Map<string, VirtualFile>();
  for (const file of files) {
    const other = claimed.get(file.path.toLowerCase());
    if (other !== undefined) {
      const message =
        other.path === file.path
          ? `two files claim the path ${file.path}`
          : `the paths ${other.path} and ${file.path} differ only in case`;
      throw clash(message, [other, file], targets);
    }
    claimed.set(file.path.toLowerCase(), file);
  }
  for (const file of files) {
    for (let end = file.path.lastIndexOf("/"); end > 0; end = file.path.lastIndexOf("/", end - 1)) {
      const path = file.path.slice(0, end);
      const other = claimed.get(path.toLowerCase());
      if (other === undefined) continue;
      throw clash(`${path} is a file and the folder of ${file.path}`, [other, file], targets);
    }
  }
}

/** Returns the error for a path that is claimed twice; a custom target is to blame rather than a built-in one. */
function clash(
  message: string,
  files: readonly [VirtualFile, VirtualFile],
  targets: readonly Pick<Target, "name">[],
): Error {
  const claims = files.map(
    ({ target, profile }) =>
      `target "${target}" (${profile === "*" ? "all profiles" : `profile ${profile}`})`,
  );
  const text = `${message}: ${claims.join(" and ")}`;
  const own = targets
    .filter(isCustomTarget)
    .find(({ name }) => files.some(({ target }) => target === name));
  return own === undefined ? new Error(text) : customTargetError(own.file, text);
}
