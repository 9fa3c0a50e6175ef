import type { EmitContext, EmittedFile, Emitter } from "./emit/emitter.js";
import { isOwnTarget, targetMistake } from "./emit/custom-target.js";
import type { Protocol } from "./model/protocol.js";
import { isOutputPath, type VirtualFile } from "./output/file.js";
import { formatFile } from "./output/format.js";
import { withHeader } from "./output/header.js";

/**
 * Turns protocols into finished files, in memory.
 *
 * @param protocols the models, one a profile
 * @param targets what to emit for each
 * @returns the files sorted by path, with header, formatted
 * @throws Error when two emitters claim the same path or print text that does not parse;
 *   InputError when that is a target of the user's own
 */
export async function compile(
  protocols: readonly Protocol[],
  targets: readonly Emitter[],
  given: EmitContext,
): Promise<VirtualFile[]> {
  const context = { ...given, protocols };
  const made: Made[] = [];
  // One after the other: what profiles share is remembered. The targets all at
  // once: some wait for what is printed in a thread of its own.
  for (const protocol of protocols) {
    const parts = targets.map(async (target) => {
      const files = await target.emit(protocol, context);
      return finishFiles(files, protocol.profile, target, context);
    });
    made.push(...(await Promise.all(parts)));
  }
  for (const target of targets) {
    const emitted = made.flatMap(({ files }) => files);
    const files = (await target.finish?.(protocols, emitted, context)) ?? [];
    made.push(await finishFiles(files, "*", target, context));
  }
  refuseSharedPaths(
    made.flatMap(({ files }) => files),
    targets,
  );
  return made.flatMap(({ finished }) => finished).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files of a target, as they were emitted and in their final form. */
interface Made {
  readonly files: readonly VirtualFile[];
  readonly finished: readonly VirtualFile[];
}

async function finishFiles(
  emitted: readonly EmittedFile[],
  profile: string,
  target: Emitter,
  { header, memo }: EmitContext,
): Promise<Made> {
  const files = emitted.map((file) => ({
    ...file,
    profile: file.profile ?? profile,
    target: target.name,
  }));
  const unsafe = files.find(({ path }) => !isOutputPath(path));
  if (unsafe !== undefined) {
    throw new Error(`not a safe path below the output folder: ${JSON.stringify(unsafe.path)}`);
  }
  const finished = files.map((file) => formatFile(withHeader(file, header), memo));
  try {
    return { files, finished: await Promise.all(finished) };
  } catch (error) {
    if (!isOwnTarget(target)) throw error;
    // The first line; the others show the text, with the notice at its top.
    throw targetMistake(target.file, (error as Error).message.split("\n", 1)[0]!, error);
  }
}

/** Neither can two files have one path, nor can a path be a file and a folder. */
function refuseSharedPaths(files: readonly VirtualFile[], targets: readonly Emitter[]): void {
  const claimed = new Map<string, VirtualFile>();
  for (const file of files) {
    const other = claimed.get(file.path);
    if (other !== undefined) {
      throw clash(`two files claim the path ${file.path}`, [other, file], targets);
    }
    claimed.set(file.path, file);
  }
  for (const file of files) {
    for (let end = file.path.lastIndexOf("/"); end > 0; end = file.path.lastIndexOf("/", end - 1)) {
      const path = file.path.slice(0, end);
      const other = claimed.get(path);
      if (other === undefined) continue;
      throw clash(`${path} is a file and the folder of ${file.path}`, [other, file], targets);
    }
  }
}

/** Where an own target and one of ours claim a path, the own one is to choose another. */
function clash(
  message: string,
  files: readonly [VirtualFile, VirtualFile],
  targets: readonly Emitter[],
): Error {
  const claims = files.map(
    ({ target, profile }) =>
      `target "${target}" (${profile === "*" ? "all profiles" : `profile ${profile}`})`,
  );
  const text = `${message}: ${claims.join(" and ")}`;
  const own = targets
    .filter(isOwnTarget)
    .find(({ name }) => files.some(({ target }) => target === name));
  return own === undefined ? new Error(text) : targetMistake(own.file, text);
}
