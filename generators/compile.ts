import type { EmitContext, Emitter } from "./emit/emitter.js";
import type { Protocol } from "./model/protocol.js";
import type { VirtualFile } from "./output/file.js";
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
  context: EmitContext,
): Promise<VirtualFile[]> {
  const files = new Map<string, VirtualFile>();
  for (const protocol of protocols) {
    for (const target of targets) {
      for (const emitted of await target.emit(protocol, context)) {
        if (files.has(emitted.path)) throw new Error(`two files claim the path ${emitted.path}`);
        const file = { ...emitted, profile: protocol.profile, target: target.name };
        files.set(file.path, await formatFile(withHeader(file)));
      }
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
