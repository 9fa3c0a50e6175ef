import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import { clip } from "../../../output/text.js";
import { urlToken } from "../../../output/url.js";
import type { Change } from "../../../schema/compare/changes.js";
import { worst } from "../../../schema/compare/impact.js";
import { table, type Block, type CellSource } from "../parts/block.js";
import { versionNote } from "../facts/version-notes.js";
import { changeLines, type ChangeLine } from "./change-lines.js";
import type { GateChange } from "./gate-changes.js";
import { gateLine } from "./method-table.js";
import { bothLinks, breaks, breaksText, type ComparisonContext } from "./comparison-context.js";
import { featureBadgesOf, toFeature } from "../frame/badges.js";
import type { TypeLinks } from "../site-types.js";

/** Types that only the old profile has. */
export function removedTable(
  changes: readonly Change[],
  context: ComparisonContext,
): readonly Block[] {
  return wholeTable("Types removed", changes, bothLinks(context).before, context);
}

/** Types that only the new profile has. */
export function addedTable(
  changes: readonly Change[],
  context: ComparisonContext,
): readonly Block[] {
  return wholeTable("Types added", changes, bothLinks(context).after, context);
}

function wholeTable(
  caption: string,
  changes: readonly Change[],
  links: TypeLinks,
  { before, after, path }: ComparisonContext,
): readonly Block[] {
  return table(
    caption,
    ["Type", "Description", "Impact"],
    changes.map((change) => {
      const name = change.definition!;
      const { description = "" } = links.site.definitions.get(name) ?? {};
      const note = versionNote(name, links.site, links.site === before ? after : before);
      return {
        cells: [
          typeCell(name, links, path),
          note?.text ?? inline(clip(description.replaceAll("`", ""), 120)),
          breaks(change),
        ],
      };
    }),
  );
}

/** Types that have the same content under another name. */
export function renameTable(
  changes: readonly Change[],
  context: ComparisonContext,
): readonly Block[] {
  const { before, after } = bothLinks(context);
  return table(
    "Types renamed",
    ["Type", "Former name", "Impact"],
    changes.map((change) => {
      const [old, now] = [String(change.before), String(change.after)];
      return {
        cells: [
          typeCell(now, after, context.path),
          inline(codeSpan(old, before.toType(old)), ", with the same content"),
          breaks(change),
        ],
      };
    }),
  );
}

/**
 * Types that both profiles have, with what is different inside them.
 *
 * @param inside the changes of their schemas, by name
 * @param gates of their properties and variants
 */
export function changeTable(
  inside: ReadonlyMap<string, readonly Change[]>,
  gates: readonly GateChange[],
  context: ComparisonContext,
): readonly Block[] {
  const { before, after, path, id } = context;
  const links = bothLinks(context);
  const changed = new Set([...inside.keys(), ...gates.map(({ definition }) => definition)]);
  return table(
    "Types changed",
    ["Type", "Differences", "Impact"],
    [...changed].sort().flatMap((name) => {
      const old = { definition: before.definitions.get(name)!, links: links.before };
      const now = { definition: after.definitions.get(name)!, links: links.after };
      const own = gates.filter(({ definition }) => definition === name);
      const lines: readonly ChangeLine[] = [
        ...changeLines(inside.get(name) ?? [], old, now),
        ...own.map((gate) => gateLine(gate, links)),
      ];
      if (lines.length === 0) return [];
      const sender = lines.map((line) => line.sender).reduce(worst);
      const receiver = lines.map((line) => line.receiver).reduce(worst);
      return [
        {
          id: id(`type-${urlToken(name)}`),
          cells: [
            typeCell(name, links.after, path),
            { lines: lines.map((line) => marked(line, context)), badges: [] },
            breaks({ sender, receiver }),
          ],
        },
      ];
    }),
  );
}

function typeCell(name: string, links: TypeLinks, path: string): CellSource {
  const feature = links.site.definitions.get(name)?.feature;
  return {
    lines: [inline(codeSpan(name, links.toType(name)))],
    badges: featureBadgesOf(feature, links.site, path),
  };
}

/** A line with the feature that it is of, and what it breaks. */
function marked(line: ChangeLine, { before, after, path }: ComparisonContext): Inline {
  const { text, feature } = line;
  const owner = [after, before].find((site) => site.features.has(feature ?? ""));
  const known = owner?.features.get(feature ?? "");
  return inline(
    text,
    ...(owner && known
      ? [", ", textLink(known.title, toFeature(known.name, owner, path)), ` (${known.status})`]
      : []),
    breaksText(line),
  );
}
