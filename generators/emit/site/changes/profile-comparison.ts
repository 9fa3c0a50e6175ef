import type { Protocol } from "../../../model/protocol.js";
import { classifyAll, type Comparison } from "../../../schema/compare/changes.js";
import { compareContent } from "./content.js";
import type { GateChange } from "./gate-changes.js";
import { compareMethods, type MethodChanges } from "./method-changes.js";
import type { Site } from "../model/site.js";

export const CHANGES_FILE = "changes.json";

/** The differences of two profiles: schemas as `acp-codegen diff` compares them, methods and gates. */
export interface ProfileComparison extends Comparison {
  readonly from: string;
  readonly to: string;
  readonly methods: MethodChanges;
  /** Changes in the gates of parts of types that both have. */
  readonly gates: readonly GateChange[];
}

const compared = new WeakMap<Site, readonly ProfileComparison[]>();

/**
 * Compares, once, a profile with the stable one of its version, and with the same
 * selection of the version before. Only profiles of the same run count.
 */
export function comparisonsOf(site: Site): readonly ProfileComparison[] {
  const known = compared.get(site) ?? compareSite(site);
  compared.set(site, known);
  return known;
}

function compareSite({ protocol, siblings }: Site): readonly ProfileComparison[] {
  const before = `v${protocol.versionNumber - 1}${protocol.profile.slice(protocol.version.length)}`;
  const names = [
    ...(protocol.profile === protocol.version ? [] : [protocol.version]),
    ...(protocol.profile.startsWith(protocol.version) ? [before] : []),
  ];
  return names.flatMap((name) => {
    const other = siblings.get(name);
    return other === undefined ? [] : [compareProtocols(other.protocol, protocol)];
  });
}

function compareProtocols(from: Protocol, to: Protocol): ProfileComparison {
  const content = compareContent(from, to);
  const schemas = classifyAll(content, from.schema, to.schema);
  return {
    from: from.profile,
    to: to.profile,
    ...schemas,
    methods: compareMethods(content, schemas.changes),
    gates: content.gates,
  };
}
