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
  const files = new Map<string, VirtualFile>();
  const add = (emitted: readonly EmittedFile[], profile: string, target: string): void => {
    for (const file of emitted) {
      if (!isOutputPath(file.path)) {
        throw new Error(`not a safe path below the output folder: ${JSON.stringify(file.path)}`);
      }
      if (files.has(file.path)) throw new Error(`two files claim the path ${file.path}`);
      files.set(file.path, { ...file, profile: file.profile ?? profile, target });
    }
  };
  for (const protocol of protocols) {
    for (const target of targets) {
      add(await target.emit(protocol, context), protocol.profile, target.name);
    }
  }
  for (const target of targets) {
    add(target.finish?.(protocols, [...files.values()], context) ?? [], "*", target.name);
  }
  const finished = [...files.values()].map((file) =>
    formatFile(withHeader(file, context.header), context.memo),
  );
  return (await Promise.all(finished)).sort((a, b) => (a.path < b.path ? -1 : 1));
}
