import { renamedParts } from "../../model/parts/build-parts.js";
import { publishedNames } from "../../model/parts/published-names.js";
import type { Protocol } from "../../model/protocol.js";
import { InputError } from "../../schema/problem.js";
import { unknownName } from "../messages.js";

/**
 * Checks the paths of the names that a user has chosen.
 *
 * @throws InputError for a path that no protocol has
 */
export function checkChosenNames(names: object, protocols: readonly Protocol[]): void {
  const paths = Object.values(publishedNames(protocols)).flatMap((known) => Object.keys(known));
  for (const path of Object.keys(names))
    if (!paths.includes(path)) throw unknownName("value or property", path, paths);
}

/**
 * Refuses values, variants and properties of our schema that would have the names of others.
 *
 * @throws InputError with the entry that settles each
 */
export function refuseClashes(protocols: readonly Protocol[]): void {
  const renamed = new Map(protocols.flatMap((protocol) => [...renamedParts(protocol)]));
  if (renamed.size === 0) return;
  throw new InputError(
    [...renamed].map(([path, name]) => ({
      message: `${path} would have the name of another in the code of some languages`,
      hint: `Choose one: "${path}": "${name}" in schema/part-names.json, or under "names" in the configuration.`,
    })),
  );
}
