import type { Step } from "../../../model/map-shape.js";
import type { Definition } from "../../../model/protocol.js";
import { referencesOf, visitShape, type Steps } from "../../../model/visit-shape.js";
import { urlToken } from "../../../output/url.js";
import { findDetail } from "./find-detail.js";

/** A part of a definition that refers to another one. */
export interface Use {
  /** The definition that has the part. */
  readonly owner: string;
  readonly steps: readonly Step[];
  /** A value of the enumeration at that place. */
  readonly value?: string | number;
}

/**
 * The id of a part on the page of its definition. The grammar never changes:
 * `field-<property>`, `variant-<tag or title>`, deeper parts after a dot.
 */
export function stepId(steps: readonly Step[]): string {
  return steps.map(({ kind, name }) => `${kind}-${urlToken(name)}`).join(".");
}

/** Collects all references to definitions, by name, in reading order, one for each id. */
export function findUses(definitions: readonly Definition[]): ReadonlyMap<string, readonly Use[]> {
  const uses = new Map<string, Use[]>();
  for (const { name: owner, shape } of definitions) {
    const reference = (name: string, steps: Steps): void => {
      const list = uses.get(name) ?? [];
      const known = list.some((use) => use.owner === owner && stepId(use.steps) === stepId(steps));
      if (!known) list.push({ owner, steps });
      uses.set(name, list);
    };
    visitShape(shape, {
      reference,
      enter: (part, steps) => {
        // Alternatives that are named in the type's line have no id of their own.
        const isInLine = part.kind === "union" && part !== shape && findDetail(part) === undefined;
        if (isInLine) for (const name of referencesOf(part)) reference(name, steps);
        return !isInLine;
      },
    });
  }
  return uses;
}
