import type { Emitter } from "../emit/emitter.js";
import type { Manifest } from "../output/manifest.js";
import { TARGETS } from "../targets.js";
import { SITE_TARGET } from "./generate.js";
import { isTargetPath, loadTarget } from "./load-target.js";
import { unknownName } from "./usage.js";

/**
 * The targets of a run: those that were named, or loaded from a path, with what
 * they require; or all that are not made on request only. In the second case what was made on
 * request before is kept up to date, for the profiles that have it.
 *
 * @throws InputError for a name that does not exist, or a module that is no target
 */
export async function selectTargets(
  names: readonly string[] | undefined,
  previous: Manifest | undefined,
): Promise<Emitter[]> {
  if (names === undefined) {
    return TARGETS.filter(({ name }) => name !== SITE_TARGET).flatMap((target) =>
      target.onRequest === true ? refreshed(target, previous) : [target],
    );
  }
  const chosen = new Set<string>();
  const add = (name: string): void => {
    const target = TARGETS.find((candidate) => candidate.name === name);
    if (target === undefined) {
      throw unknownName(
        "target",
        name,
        TARGETS.map((known) => known.name),
      );
    }
    chosen.add(name);
    target.requires?.forEach(add);
  };
  names.filter((name) => !isTargetPath(name)).forEach(add);
  const own = await Promise.all(names.filter(isTargetPath).map(loadTarget));
  own.flatMap(({ requires = [] }) => requires).forEach(add);
  return [...TARGETS.filter(({ name }) => chosen.has(name)), ...own];
}

/** A target for the profiles that have files of it; nothing when none has. */
function refreshed(target: Emitter, previous: Manifest | undefined): Emitter[] {
  const entries = previous?.files.filter((entry) => entry.target === target.name) ?? [];
  if (entries.length === 0) return [];
  const profiles = new Set(entries.map(({ profile }) => profile));
  return [
    {
      ...target,
      emit: (protocol, context) =>
        profiles.has(protocol.profile) ? target.emit(protocol, context) : [],
    },
  ];
}
