import { codeSpan, inline, phrase, textLink } from "../../../output/markup.js";
import type { Url } from "../../../output/url.js";
import { IMPACTS, type Impact } from "../../../schema/compare/impact.js";
import { bullets, paragraph, subheading, table, type Block } from "../blocks/block.js";
import type { ProfileComparison } from "./profile-comparison.js";
import { methodEntries } from "./method-entries.js";
import { entryTable, type ComparisonContext, type ChangeRow } from "./comparison-context.js";
import { isEnvelope, typeEntries } from "./type-entries.js";

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

/** The differences in one area. */
interface Topic {
  readonly area: string;
  readonly title: string;
  readonly methods: readonly ChangeRow[];
  readonly types: readonly ChangeRow[];
}

/**
 * The areas with differences, in the order of their titles.
 *
 * @param only the only area to describe; absent for all of them
 */
export function topicsOf(
  changes: ProfileComparison,
  context: ComparisonContext,
  only?: string,
): readonly Topic[] {
  const methods = methodEntries(changes.methods, context);
  const types = typeEntries(changes, context, only);
  const areas = [context.after, context.before].flatMap(({ site }) => site.protocol.areas);
  const titles = new Map(areas.map(({ name, title }) => [name, title] as const).reverse());
  return [...new Set([...methods, ...types].map(({ area }) => area))]
    .filter((area) => only === undefined || area === only)
    .map((area) => ({
      area,
      title: titles.get(area) ?? "Others",
      methods: methods.filter((entry) => entry.area === area),
      types: types.filter((entry) => entry.area === area),
    }))
    .sort((one, other) => (one.title < other.title ? -1 : 1));
}

/** A comparison in numbers, with a row for each topic. */
export function comparisonBlocks(
  changes: ProfileComparison,
  context: ComparisonContext,
  toTopic: (area: string) => Url,
): readonly Block[] {
  const command = codeSpan(`acp-codegen diff ${changes.from} ${changes.to}`);
  return [
    paragraph(inline(summary(changes))),
    paragraph(
      phrase`Severity for senders: ${codeSpan(changes.sender)}, for receivers: ${codeSpan(changes.receiver)}. The command ${command} compares the schemas in the same way.`,
    ),
    ...table(
      "Topics",
      ["Topic", "Methods", "Types"],
      topicsOf(changes, context).map(({ area, title, methods, types }) => ({
        cells: [
          inline(textLink(title, toTopic(area))),
          inline(countsOf(methods)),
          inline(countsOf(types)),
        ],
      })),
    ),
    ...envelopeBlocks(changes, context),
  ];
}

/** Returns the numbers of entries by what happened to them: `1 removed, 3 changed`. */
function countsOf(entries: readonly ChangeRow[]): string {
  const words = [...new Set(entries.map(({ word }) => word))];
  const count = (word: string): number => entries.filter((entry) => entry.word === word).length;
  return words.map((word) => `${count(word)} ${word}`).join(", ") || "none";
}

/** The methods and types of a topic that differ. */
export function topicBlocks({ methods, types }: Topic): readonly Block[] {
  return [...entryTable("Methods", methods), ...entryTable("Types", types)];
}

function summary({ counts, methods }: ProfileComparison): string {
  const { common, changed, added, removed, renamed } = counts;
  return (
    `Methods: ${methods.added.length} added, ${methods.removed.length} removed, ${methods.changed.length} changed, the types that they use included. ` +
    `Types, envelopes included: ${common} in both, ${changed} of them changed; ${added} added and ${removed} removed, ${renamed} of them only renamed.`
  );
}

/** The number of changes in each envelope, which follow from the methods. */
function envelopeBlocks(
  { changes }: ProfileComparison,
  context: ComparisonContext,
): readonly Block[] {
  const envelopes = new Map<string, number>();
  for (const { definition } of changes)
    if (definition === undefined || isEnvelope(definition, context)) {
      const name = definition ?? "the message as a whole";
      envelopes.set(name, (envelopes.get(name) ?? 0) + 1);
    }
  if (envelopes.size === 0) return [];
  return [
    subheading(context.id("envelopes"), inline("Message envelopes")),
    paragraph(inline("These follow from the methods, one by one:")),
    ...bullets(
      [...envelopes].map(([name, count]) =>
        inline(codeSpan(name), `: ${count} ${count === 1 ? "difference" : "differences"}`),
      ),
    ),
  ];
}
