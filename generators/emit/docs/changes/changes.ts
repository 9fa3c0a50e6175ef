import type { Protocol } from "../../../model/protocol.js";
import { compareSchemas, type Comparison } from "../../../schema/compare/changes.js";
import { compareGates, type GateChange } from "./gate-changes.js";
import { compareMethods, type MethodChanges } from "./method-changes.js";
import type { Site } from "../site-types.js";

export const CHANGES_FILE = "changes.json";

/** How one profile differs from another: the schemas as `acp-codegen diff` compares them, and the methods. */
export interface Changes extends Comparison {
  readonly from: string;
  readonly to: string;
  readonly methods: MethodChanges;
  /** Of places in types that both have. */
  readonly gates: readonly GateChange[];
}

/**
 * What a profile is compared with: the stable one of its version, and the same
 * selection of the version before. Only what is built together counts.
 */
export function comparisons(site: Site): readonly Changes[] {
  const { protocol, siblings } = site;
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

/** Compares two profiles: by structure, texts do not count. */
export function compareProtocols(from: Protocol, to: Protocol): Changes {
  const comparison = compareSchemas(from.schema, to.schema);
  return {
    from: from.profile,
    to: to.profile,
    ...comparison,
    methods: compareMethods(from.methods, to.methods, comparison.changes),
    gates: compareGates(from, to),
  };
}
