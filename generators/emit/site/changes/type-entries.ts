import type { Definition } from "../../../model/protocol.js";
import { codeSpan, inline, phrase, textLink, type Inline } from "../../../output/markup.js";
import { clip } from "../../../output/text.js";
import { urlToken } from "../../../output/url.js";
import type { Change } from "../../../schema/compare/changes.js";
import { worstOf } from "../../../schema/compare/impact.js";
import { versionNote } from "../model/version-notes.js";
import { changeLines, type ChangeLine } from "./change-lines.js";
import { gateLine } from "./method-entries.js";
import {
  breaks,
  breaksText,
  type ComparisonContext,
  type ChangeRow,
} from "./comparison-context.js";
import type { ProfileComparison } from "./profile-comparison.js";
import { featureBadgesOf, toFeature } from "../components/badges.js";
import type { TypeLinks } from "../model/site.js";

/**
 * The types that differ: removed, renamed, changed and added ones; envelopes follow from the methods.
 *
 * @param area the only area to describe; absent for all of them
 */
export function typeEntries(
  comparison: Pick<ProfileComparison, "changes" | "gates">,
  context: ComparisonContext,
  area?: string,
): readonly ChangeRow[] {
  const isHere = ({ definition: name = "" }: Pick<Change, "definition">): boolean =>
    area === undefined || definitionOf(name, context)?.area === area;
  const own = comparison.changes.filter(
    (change) =>
      change.definition !== undefined && !isEnvelope(change.definition, context) && isHere(change),
  );
  const isWhole = ({ pointer }: Change): boolean => pointer.split("/").length === 3;
  const whole = (kind: Change["kind"]): readonly ChangeRow[] =>
    own
      .filter((change) => isWhole(change) && change.kind === kind)
      .map((change) => wholeEntry(change, context));
  const inside = own.filter((change) => !isWhole(change));
  const gates = comparison.gates.filter(isHere);
  const changed = new Set([...inside, ...gates].map(({ definition }) => definition!));
  return [
    ...whole("removed"),
    ...whole("renamed"),
    ...[...changed].sort().flatMap((name) => changedEntry(name, inside, gates, context)),
    ...whole("added"),
  ];
}

/** Returns whether a definition is an envelope in one of two profiles. */
export function isEnvelope(name: string, context: ComparisonContext): boolean {
  return definitionOf(name, context)?.envelope === true;
}

function definitionOf(name: string, { before, after }: ComparisonContext): Definition | undefined {
  return after.site.definitions.get(name) ?? before.site.definitions.get(name);
}

/** A type that only one profile has, or that has the same content under another name. */
function wholeEntry(change: Change, context: ComparisonContext): ChangeRow {
  const { kind, definition: name = "" } = change;
  const links = context[kind === "removed" ? "before" : "after"];
  const line =
    kind === "renamed" ? formerName(change, context) : presence(name, kind, links, context);
  return { ...entry(name, kind, links, context), lines: [line], impact: breaks(change) };
}

function formerName({ before }: Change, context: ComparisonContext): Inline {
  const old = String(before);
  const code = codeSpan(old, context.before.toType(old));
  return phrase`renamed: formerly ${code}, with the same content`;
}

function presence(
  name: string,
  kind: Change["kind"],
  links: TypeLinks,
  { before, after }: ComparisonContext,
): Inline {
  const { description = "" } = links.site.definitions.get(name) ?? {};
  const note = versionNote(name, links.site, (links === before ? after : before).site);
  return inline(`${kind}: `, note?.text ?? inline(clip(description.replaceAll("`", ""), 120)));
}

/** What is different inside a type that both profiles have; none for differences that follow from others. */
function changedEntry(
  name: string,
  inside: readonly Change[],
  gates: ProfileComparison["gates"],
  context: ComparisonContext,
): readonly ChangeRow[] {
  const { before, after } = context;
  const isOwn = ({ definition }: { readonly definition?: string }): boolean => definition === name;
  const lines: readonly ChangeLine[] = [
    ...changeLines(
      inside.filter(isOwn),
      { definition: before.site.definitions.get(name)!, links: before },
      { definition: after.site.definitions.get(name)!, links: after },
    ),
    ...gates.filter(isOwn).map((gate) => gateLine(gate, context)),
  ];
  if (lines.length === 0) return [];
  return [
    {
      ...entry(name, "changed", after, context),
      id: context.id(`type-${urlToken(name)}`),
      lines: lines.map((line) => marked(line, context)),
      impact: breaks(worstOf(lines)),
    },
  ];
}

function entry(
  name: string,
  word: Change["kind"],
  { site, toType }: TypeLinks,
  { path }: ComparisonContext,
): Pick<ChangeRow, "area" | "word" | "name"> {
  const { area, feature } = site.definitions.get(name)!;
  const lines = [inline(codeSpan(name, toType(name)))];
  return { area, word, name: { lines, badges: featureBadgesOf(feature, site, path) } };
}

/** A line with the feature that it is of, and what it breaks. */
function marked(line: ChangeLine, { before, after, path }: ComparisonContext): Inline {
  const { text, feature = "" } = line;
  const owner = [after.site, before.site].find(({ features }) => features.has(feature));
  const known = owner?.features.get(feature);
  if (owner === undefined || known === undefined) return inline(text, breaksText(line));
  const link = textLink(known.title, toFeature(feature, owner, path));
  return inline(text, ", ", link, ` (${known.status})`, breaksText(line));
}
