import { methodTable } from "../../changes/method-table.js";
import { comparisonsOf } from "../../changes/profile-comparison.js";
import { renameTable } from "../../changes/type-tables.js";
import type { Block } from "../../parts/block.js";
import type { PageScope } from "../../site-types.js";

/** The tables of guides that the generator makes, by the name that `::: table` gives. */
export const guideTables: { readonly [name: string]: (scope: PageScope) => readonly Block[] } = {
  "from-version-before": fromVersionBefore,
};

/** The methods that the version before has not or has otherwise, and the types that only have another name. */
function fromVersionBefore({ site, path, id }: PageScope): readonly Block[] {
  const { siblings, protocol } = site;
  const changes = comparisonsOf(site).find(
    ({ from }) => siblings.get(from)!.protocol.version !== protocol.version,
  );
  if (changes === undefined) return [];
  const before = siblings.get(changes.from)!;
  const context = { path: `${protocol.profile}/${path}`, before, after: site, id };
  return [
    ...methodTable(changes.methods, context),
    ...renameTable(
      changes.changes.filter(({ kind }) => kind === "renamed"),
      context,
    ),
  ];
}
