import type { EmitContext, EmittedFile, Emitter } from "./emit/emitter.js";
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
 * @throws Error when two emitters claim the same path or print text that does not parse
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
      return finishFiles(files, protocol.profile, target.name, context);
    });
    made.push(...(await Promise.all(parts)));
  }
  for (const target of targets) {
    const emitted = made.flatMap(({ files }) => files);
    const files = (await target.finish?.(protocols, emitted, context)) ?? [];
    made.push(await finishFiles(files, "*", target.name, context));
  }
  refuseSharedPaths(made.flatMap(({ files }) => files));
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
  target: string,
  { header, memo }: EmitContext,
): Promise<Made> {
  const files = emitted.map((file) => ({ ...file, profile: file.profile ?? profile, target }));
  const unsafe = files.find(({ path }) => !isOutputPath(path));
  if (unsafe !== undefined) {
    throw new Error(`not a safe path below the output folder: ${JSON.stringify(unsafe.path)}`);
  }
  const finished = files.map((file) => formatFile(withHeader(file, header), memo));
  return { files, finished: await Promise.all(finished) };
}

function refuseSharedPaths(files: readonly VirtualFile[]): void {
  const paths = new Set<string>();
  for (const { path } of files) {
    if (paths.has(path)) throw new Error(`two files claim the path ${path}`);
    paths.add(path);
  }
}
