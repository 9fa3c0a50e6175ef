import { codeSpan, inline, joined, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import type { Impacts } from "../../../schema/compare/impact.js";
import type { Change } from "../../../schema/compare/changes.js";
import { table, type Block, type CellSource } from "../blocks/block.js";
import type { PageScope, TypeLinks, Site } from "../model/site.js";
import type { ProfileComparison } from "./profile-comparison.js";

/** The types of the two sites of a comparison, as seen from the page that shows it. */
export interface ComparisonContext {
  /** The page, below the whole site. */
  readonly path: string;
  readonly before: TypeLinks;
  readonly after: TypeLinks;
  /** An id that no other part of the page has. */
  readonly id: (wanted: string) => string;
}

export function comparisonContext(
  { from }: ProfileComparison,
  { site, path, id }: Pick<PageScope, "site" | "path" | "id">,
): ComparisonContext {
  const page = `${site.protocol.profile}/${path}`;
  const linksOf = (own: Site): TypeLinks => ({
    site: own,
    toType: (name, part) =>
      relativeUrl(page, `${own.protocol.profile}/${own.typePaths.get(name)!}`, part),
  });
  return {
    path: page,
    before: linksOf(site.siblings.get(from)!),
    after: linksOf(site),
    id: (wanted) => id(`from-${from}-${wanted}`),
  };
}

/** A method or type that differs: a row of a table. */
export interface ChangeRow {
  readonly area: string;
  readonly word: Change["kind"];
  /** Absent for a row without links to it. */
  readonly id?: string;
  readonly name: CellSource;
  readonly lines: readonly Inline[];
  readonly impact: CellSource;
}

/** The rows of entries. */
export function entryTable(caption: string, entries: readonly ChangeRow[]): readonly Block[] {
  return table(
    caption,
    [caption.replace(/s$/, ""), "Differences", "Impact"],
    entries.map(({ id, name, lines, impact }) => ({ id, cells: [name, { lines }, impact] })),
  );
}

/** The sides that a change breaks, and how. */
function effects({ sender, receiver }: Impacts): readonly (readonly [string, string])[] {
  if (sender === receiver) return sender === "safe" ? [] : [["both", sender]];
  return Object.entries({ senders: sender, receivers: receiver }).filter(
    ([, impact]) => impact !== "safe",
  );
}

/** A table cell that names the sides that a change breaks. */
export function breaks(impacts: Impacts): CellSource {
  const badges = effects(impacts).map(([who, impact]) => {
    return { label: inline(`${who}: ${impact}`), tone: "breaking" } as const;
  });
  return badges.length === 0 ? inline("none") : { lines: [], badges };
}

/** The same as text; empty for a safe change. */
export function breaksText(impacts: Impacts): string {
  const parts = effects(impacts).map(([who, impact]) =>
    who === "both" ? impact : `${impact} for ${who}`,
  );
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Names as code, behind words about them; empty without names. */
export function listedNames(words: string, names: readonly string[]): readonly Inline[] {
  return names.length === 0 ? [] : [inline(words, joined(names.map((name) => codeSpan(name))))];
}
