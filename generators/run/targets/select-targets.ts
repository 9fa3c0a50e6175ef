import { resolve } from "node:path";
import type { Emitter } from "../../emit/emitter.js";
import type { OwnTarget } from "../../emit/custom-target.js";
import type { Manifest } from "../../output/manifest.js";
import { isBuiltIn, TARGETS } from "../../targets.js";
import { SITE_TARGET } from "../generate/generate.js";
import { isTargetPath, loadTarget, wrongTarget } from "./load-target.js";
import { unknownName } from "../usage-error.js";

/**
 * The targets of a run: those that were named, or loaded from a path, with what
 * they require; or all that are not made on request only. In the second case what was made on
 * request before is kept up to date, for the profiles that have it.
 *
 * @throws InputError for a name that does not exist, a module that is no target, or one whose name is taken
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
  const own = await loadOwn(names.filter(isTargetPath), previous);
  own.flatMap(({ requires = [] }) => requires).forEach(add);
  return [...TARGETS.filter(({ name }) => chosen.has(name)), ...own];
}

/** A module that is named twice is one target; two of one name would take each other's files away. */
async function loadOwn(
  paths: readonly string[],
  previous: Manifest | undefined,
): Promise<OwnTarget[]> {
  const made = (previous?.files ?? []).filter(({ target }) => isBuiltIn(target));
  const taken = new Map(made.map(({ path, target }) => [path, target]));
  const modules = new Map(paths.map((path) => [resolve(path), path]));
  const own = await Promise.all([...modules.values()].map((path) => loadTarget(path, taken)));
  own.forEach(({ file, name }, index) => {
    const other = own.slice(0, index).find((earlier) => earlier.name === name)?.file;
    if (other === undefined && !isBuiltIn(name)) return;
    const owner = other ?? "a target of acp-codegen";
    throw wrongTarget(file, `has the name "${name}", which ${owner} has`, "Give it another name.");
  });
  return own;
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
