import { buildCheckTable } from "../../model/check-table.js";
import { buildProtocol } from "../../model/build/build.js";
import { loadSources } from "../../schema/source/load-sources.js";
import type { Input } from "../../run/inputs/input.js";
import { chooseProfile } from "./load-inspector.js";
import { SCHEMA } from "../../run/installation.js";
import type { Positions } from "./redact.js";

/** Returns what the schema of a profile says about the places of its messages. */
export function positionsOf({ bundle, profile }: Input): Positions {
  const protocol = buildProtocol(bundle, profile);
  const { versionNumber: version, methods } = protocol;
  return { version, methods, table: buildCheckTable(protocol) };
}

/** Returns the same for the profile with the most features of every protocol version. */
export function positionsOfVersions(): readonly Positions[] {
  const { protocols } = loadSources(SCHEMA);
  return [...protocols.values()].map(({ number }) => positionsOf(chooseProfile({}, number)));
}
