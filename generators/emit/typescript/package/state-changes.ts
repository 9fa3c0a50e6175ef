import { changesOf } from "../../../model/session-state.js";
import { code, literal } from "../../../output/code.js";
import type { Json } from "../../../schema/json-schema/json.js";
import { tagOf, variantsOf } from "../../../schema/json-schema/variants.js";
import type { ProtocolSource, Sources } from "../../../schema/source/sources.js";

/** The module of the runtime that says what updates change; the template of it has no changes. */
export const STATE_CHANGES_MODULE = "typescript/runtime/conformance/state-changes.ts";

/**
 * Prints how the updates of all protocol versions and features change the state of a session, for
 * the conformance rules: without what chunks append, since rules need no content.
 */
export function printStateChanges({ protocols }: Sources): string {
  const changes = [...protocols.values()].flatMap(changesOfVersion);
  return code`import type { StateChange } from "../session/state-table.js";

/** The changes by an update, by the version and the tag. */
export const STATE_CHANGES: { readonly [update: string]: readonly StateChange[] } =
  ${literal(Object.fromEntries(changes) as unknown as Json)};
`;
}

function changesOfVersion({ number, modules, features }: ProtocolSource): [string, object][] {
  const added = [...features.values()].flatMap(({ modules, add, with: pairs }) => [
    ...modules.map(({ definitions }) => definitions),
    ...[add, ...Object.values(pairs)],
  ]);
  return [...modules.map(({ definitions }) => definitions), ...added]
    .flatMap((definitions) => Object.values(definitions).flatMap(variantsOf))
    .flatMap((variant): [string, object][] => {
      const tag = tagOf(variant)?.value ?? "";
      const changes = changesOf(tag, variant["x-state"]?.session ?? []);
      const kept = changes.flatMap(({ action, target, id }) =>
        action === "append" ? [] : [{ action, target, ...(id && { id }) }],
      );
      return kept.length === 0 ? [] : [[`${number}:${tag}`, kept]];
    });
}
