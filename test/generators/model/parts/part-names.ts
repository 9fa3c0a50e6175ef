import { readFileSync } from "node:fs";
import { buildParts } from "../../../../generators/model/parts/build-parts.js";
import type { Protocol } from "../../../../generators/model/protocol.js";
import { ROOT } from "../../../support/paths.js";

/** The names of parts by protocol version and path. */
export interface PartNames {
  readonly [version: string]: { readonly [path: string]: string };
}

/** The file of the names that are published and cannot change. */
export const PINNED = `${ROOT}schema/part-names.json`;

export function readPinned(): PartNames {
  return JSON.parse(readFileSync(PINNED, "utf8")) as PartNames;
}

/** Returns the names of the parts inside the definitions of a protocol, by path. */
export function partNames(protocol: Protocol): ReadonlyMap<string, string> {
  const inner = [...buildParts(protocol.definitions).values()].filter(
    ({ path }) => path.length > 1,
  );
  return new Map(inner.map(({ path, name }) => [path.join("/"), name]));
}
