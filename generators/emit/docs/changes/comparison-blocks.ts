import { codeSpan, inline } from "../../../output/markup.js";
import type { Change } from "../../../schema/compare/changes.js";
import { IMPACTS, type Impact } from "../../../schema/compare/impact.js";
import { bullets, paragraph, subheading, type Block } from "../parts/block.js";
import type { ProfileComparison } from "./profile-comparison.js";
import { methodTable } from "./method-table.js";
import type { ComparisonContext } from "./comparison-context.js";
import { changeTable, removedTable, addedTable, renameTable } from "./type-tables.js";

const MEANINGS: { readonly [impact in Impact]: string } = {
  "wire-breaking": "messages of the old side are refused",
  "decode-breaking": "received values do not fit the old types",
  "type-breaking": "messages still work, but code must be edited when it is updated",
  safe: "no effect",
};

/** Explains the impact marks, once a page. */
export function legend(): readonly Block[] {
  return [
    paragraph(
      inline(
        "The comparison covers structure, not wording. The marks state the effect of a change on a side that keeps the old profile while the other side follows the new one, or on code that is updated:",
      ),
    ),
    ...bullets(IMPACTS.map((impact) => inline(codeSpan(impact), `: ${MEANINGS[impact]}.`))),
  ];
}

/** A comparison as text and tables: methods; removed, changed and added types; envelopes. */
export function comparisonBlocks(
  changes: ProfileComparison,
  context: ComparisonContext,
): readonly Block[] {
  const { plain, inside, envelopes } = groupByType(changes.changes, context);
  const whole = (kind: Change["kind"]): readonly Change[] =>
    plain.filter((change) => change.kind === kind);
  const section = (id: string, title: string, blocks: readonly Block[]): readonly Block[] =>
    blocks.length === 0 ? [] : [subheading(context.id(id), inline(title)), ...blocks];
  return [
    paragraph(inline(summary(changes))),
    paragraph(
      inline(
        "Severity for senders: ",
        codeSpan(changes.sender),
        ", for receivers: ",
        codeSpan(changes.receiver),
        ". The command ",
        codeSpan(`acp-codegen diff ${changes.from} ${changes.to}`),
        " compares the schemas in the same way.",
      ),
    ),
    ...section("methods", "Methods", methodTable(changes.methods, context)),
    ...section("types-removed", "Types removed", removedTable(whole("removed"), context)),
    ...section("types-renamed", "Types renamed", renameTable(whole("renamed"), context)),
    ...section("types-changed", "Types changed", changeTable(inside, changes.gates, context)),
    ...section("types-added", "Types added", addedTable(whole("added"), context)),
    ...section("envelopes", "Message envelopes", envelopeBlocks(envelopes)),
  ];
}

function summary({ counts, methods }: ProfileComparison): string {
  const { common, changed, added, removed, renamed } = counts;
  return (
    `Methods: ${methods.added.length} added, ${methods.removed.length} removed, ${methods.changed.length} changed, the types that they use included. ` +
    `Types, envelopes included: ${common} in both, ${changed} of them changed; ${added} added and ${removed} removed, ${renamed} of them only renamed.`
  );
}

interface GroupedChanges {
  /** Changes of types as a whole. */
  readonly plain: readonly Change[];
  /** Changes inside types that both have, by name. */
  readonly inside: ReadonlyMap<string, readonly Change[]>;
  /** The number of changes in each envelope, which follow from the methods. */
  readonly envelopes: ReadonlyMap<string, number>;
}

function groupByType(
  changes: readonly Change[],
  { before, after }: ComparisonContext,
): GroupedChanges {
  const plain: Change[] = [];
  const inside = new Map<string, Change[]>();
  const envelopes = new Map<string, number>();
  for (const change of changes) {
    const { definition: name = "the message as a whole", pointer } = change;
    const definition = after.definitions.get(name) ?? before.definitions.get(name);
    if (change.definition === undefined || definition?.envelope === true)
      envelopes.set(name, (envelopes.get(name) ?? 0) + 1);
    else if (pointer.split("/").length === 3) plain.push(change);
    else inside.set(name, [...(inside.get(name) ?? []), change]);
  }
  return { plain, inside, envelopes };
}

function envelopeBlocks(envelopes: ReadonlyMap<string, number>): readonly Block[] {
  if (envelopes.size === 0) return [];
  return [
    paragraph(inline("These follow from the methods above, one by one:")),
    ...bullets(
      [...envelopes].map(([name, count]) =>
        inline(codeSpan(name), `: ${count} ${count === 1 ? "difference" : "differences"}`),
      ),
    ),
  ];
}
