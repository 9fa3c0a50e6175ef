import { buildProtocol } from "../../../../generators/model/build/build.js";
import type { Protocol } from "../../../../generators/model/protocol.js";
import { compose } from "../../../../generators/schema/compose.js";
import { loadSources } from "../../../../generators/schema/source/load-sources.js";
import { ROOT } from "../../../support/paths.js";

/** Builds the model of every profile. */
export function loadProtocols(): readonly Protocol[] {
  const { protocols, profiles } = loadSources(`${ROOT}schema`);
  return [...profiles.values()].map((profile) =>
    buildProtocol(compose(protocols.get(profile.protocol)!, profile.features), profile),
  );
}
