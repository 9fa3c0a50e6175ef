import type { Method, Protocol } from "../../model/protocol.js";
import { diffSchemas, type Difference } from "../../schema/diff.js";
import type { Site } from "./site.js";

export const CHANGES_FILE = "changes.json";

/** How one profile differs from another. */
export interface Changes {
  readonly from: string;
  readonly to: string;
  readonly methods: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    /** Those whose params, result or gate differ. */
    readonly changed: readonly string[];
  };
  readonly differences: readonly Difference[];
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
  const before = new Map(from.methods.map((method) => [keyOf(method), method]));
  const after = new Map(to.methods.map((method) => [keyOf(method), method]));
  const both = [...after.keys()].filter((key) => before.has(key));
  return {
    from: from.profile,
    to: to.profile,
    methods: {
      added: [...after.keys()].filter((key) => !before.has(key)),
      removed: [...before.keys()].filter((key) => !after.has(key)),
      changed: both.filter((key) => factsOf(before.get(key)!) !== factsOf(after.get(key)!)),
    },
    differences: diffSchemas(from.schema, to.schema),
  };
}

/** A method in a list: `agent request session/new`. */
function keyOf({ side, kind, name }: Method): string {
  return `${side} ${kind} ${name}`;
}

function factsOf({ params, result, gate }: Method): string {
  return JSON.stringify([params, result, gate]);
}
