import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Target } from "../../emit/emitter.js";
import type { CustomTarget } from "../../emit/custom-target.js";
import type { Protocol } from "../../model/protocol.js";
import type { Manifest } from "../../output/manifest.js";
import { isBuiltIn, TARGETS } from "../../targets.js";
import { isPath } from "../inputs/input-files.js";
import { unknownName, usageError } from "../messages.js";
import { SITE_TARGET } from "../site-target.js";
import { loadTarget, wrongTarget } from "./load-target.js";

/** The word for all targets that are generated without being named. */
export const DEFAULT_TARGETS = "default";

/** Returns the names of the targets that are generated without being named, or of the others. */
export function targetNames(isOnRequest: boolean): readonly string[] {
  return TARGETS.filter(({ onRequest = false }) => onRequest === isOnRequest).map(
    ({ name }) => name,
  );
}

/**
 * Returns the targets of a run. Without names these are the default targets, and
 * those that are generated on request for the profiles that have files of them.
 *
 * @param names built-in targets by name, custom targets by path, and `default`; what they require is added
 * @throws InputError for an unknown name, a module that is not a target, or one whose name is taken
 */
export async function selectTargets(
  names: readonly string[] | undefined,
  previous: Manifest | undefined,
): Promise<Target[]> {
  if (names === undefined) {
    return TARGETS.filter(({ name }) => name !== SITE_TARGET).flatMap((target) =>
      target.onRequest === true ? refreshed(target, previous) : [target],
    );
  }
  const chosen = new Set<string>();
  const add = (name: string): void => {
    if (name === DEFAULT_TARGETS) return targetNames(false).forEach(add);
    const target = TARGETS.find((candidate) => candidate.name === name);
    if (target === undefined) {
      const file = ["mjs", "js", "mts", "ts"].map((end) => `./${name}.${end}`).find(existsSync);
      if (file !== undefined)
        throw usageError(`unknown target "${name}"`, `Did you mean "${file}"?`);
      throw unknownName("target", name, [...TARGETS.map((known) => known.name), DEFAULT_TARGETS]);
    }
    chosen.add(name);
    target.requires?.forEach(add);
  };
  names.filter((name) => !isPath(name)).forEach(add);
  const custom = await loadCustom(names.filter(isPath), previous);
  custom.flatMap(({ requires = [] }) => requires).forEach(add);
  return [...TARGETS.filter(({ name }) => chosen.has(name)), ...custom];
}

/**
 * Leaves out the targets that are not for the protocols of a run, since none of these has the
 * handshake of ACP, or one has it. Whoever names `roles` and `methods` for ACP, as in the list of all
 * default targets, gets the roles.
 *
 * @param names as given to the run
 * @returns the remaining targets, and the names of those that need the handshake
 * @throws InputError when a target that is left out is named, or required by one that is
 */
export function fitTargets(
  targets: readonly Target[],
  names: readonly string[] | undefined,
  protocols: readonly Protocol[],
): { readonly targets: readonly Target[]; readonly leftOut: readonly string[] } {
  const hasHandshake = protocols.some(({ initialize }) => initialize !== undefined);
  const unfit = new Set(
    targets
      .filter(({ handshake }) => handshake === (hasHandshake ? "absent" : "present"))
      .map(({ name }) => name),
  );
  const hasRoles = hasHandshake && targets.some(({ handshake }) => handshake === "present");
  const isNamed = ({ name }: Target): boolean =>
    !isBuiltIn(name) || (!hasRoles && names?.includes(name) === true);
  const named = targets
    .filter(isNamed)
    .find(({ name, requires = [] }) => [name, ...requires].some((one) => unfit.has(one)));
  if (named !== undefined)
    throw hasHandshake
      ? usageError(
          `the target "${named.name}" is for protocols without the handshake of ACP`,
          'Generate "roles", which have a table of their own.',
        )
      : usageError(
          `the target "${named.name}" is for protocols with the handshake of ACP, an \`initialize\` with an integer \`protocolVersion\``,
          'Generate "methods", a table for any connection.',
        );
  return {
    targets: targets.filter(({ name }) => !unfit.has(name)),
    leftOut: hasHandshake ? [] : [...unfit],
  };
}

/** Loads custom targets. A module that is named twice is one target; two targets of one name are refused. */
async function loadCustom(
  paths: readonly string[],
  previous: Manifest | undefined,
): Promise<CustomTarget[]> {
  const made = (previous?.files ?? []).filter(({ target }) => isBuiltIn(target));
  const taken = new Map(made.map(({ path, target }) => [path, target]));
  const modules = new Map(paths.map((path) => [resolve(path), path]));
  const custom = await Promise.all([...modules.values()].map((path) => loadTarget(path, taken)));
  custom.forEach(({ file, name }, index) => {
    const other = custom.slice(0, index).find((earlier) => earlier.name === name)?.file;
    if (other === undefined && !isBuiltIn(name)) return;
    const owner = other ?? "a built-in target";
    throw wrongTarget(file, `has the name "${name}", which ${owner} has`, "Rename it.");
  });
  return custom;
}

/** Limits a target to the profiles that have files of it. */
function refreshed(target: Target, previous: Manifest | undefined): Target[] {
  const entries = previous?.files.filter((entry) => entry.target === target.name) ?? [];
  if (entries.length === 0) return [];
  const profiles = new Set(entries.map(({ profile }) => profile));
  return [
    {
      ...target,
      emit: (protocols, ...given) =>
        target.emit(
          protocols.filter(({ profile }) => profiles.has(profile)),
          ...given,
        ),
    },
  ];
}
