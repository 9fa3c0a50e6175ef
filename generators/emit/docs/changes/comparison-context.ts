import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import type { Impacts } from "../../../schema/compare/impact.js";
import type { Change } from "../../../schema/compare/changes.js";
import { table, type Block, type CellSource } from "../parts/block.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { TypeLinks, Site } from "../site-types.js";

/** The two sites of a comparison, and the page that shows it. */
export interface ComparisonContext {
  /** The page, below the whole site. */
  readonly path: string;
  readonly before: Site;
  readonly after: Site;
  /** An id that no other part of the page has. */
  readonly id: (wanted: string) => string;
}

/** A method or type that differs: a row of a table. */
export interface Entry {
  readonly area: string;
  readonly word: Change["kind"];
  /** Absent for a row without links to it. */
  readonly id?: string;
  readonly name: CellSource;
  readonly lines: readonly Inline[];
  readonly impact: CellSource;
}

/** The rows of entries. */
export function entryTable(caption: string, entries: readonly Entry[]): readonly Block[] {
  return table(
    caption,
    [caption.replace(/s$/, ""), "Differences", "Impact"],
    entries.map(({ id, name, lines, impact }) => ({
      id,
      cells: [name, { lines }, impact],
    })),
  );
}

/** Links to the types of both sites, as seen from the comparison. */
export interface BothLinks {
  readonly before: TypeLinks;
  readonly after: TypeLinks;
}

export function bothLinks({ before, after, path }: ComparisonContext): BothLinks {
  return { before: linksOf(before, path), after: linksOf(after, path) };
}

function linksOf(site: Site, path: string): TypeLinks {
  return {
    site,
    toType: (name, id) =>
      relativeUrl(path, `${site.protocol.profile}/${site.typePaths.get(name)!}`, id),
  };
}

/** A table cell that names the sides that a change breaks. */
export function breaks({ sender, receiver }: Impacts): CellSource {
  if (sender === "safe" && receiver === "safe") return inline("none");
  if (sender === receiver)
    return { lines: [], badges: [{ label: inline(`both: ${sender}`), tone: "breaking" }] };
  const badge = (who: string, impact: string): BadgeView[] =>
    impact === "safe" ? [] : [{ label: inline(`${who}: ${impact}`), tone: "breaking" }];
  return { lines: [], badges: [...badge("senders", sender), ...badge("receivers", receiver)] };
}

/** The same as text; empty for a safe change. */
export function breaksText({ sender, receiver }: Impacts): string {
  const parts = Object.entries({ senders: sender, receivers: receiver })
    .filter(([, impact]) => impact !== "safe")
    .map(([who, impact]) => (sender === receiver ? impact : `${impact} for ${who}`));
  return parts.length === 0 ? "" : ` (${[...new Set(parts)].join(", ")})`;
}

/** Names as code, with commas between. */
export function names(all: readonly string[]): Inline {
  return inline(...all.flatMap((name, index) => [index === 0 ? "" : ", ", codeSpan(name)]));
}
