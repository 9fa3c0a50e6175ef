import { inline, textLink } from "../../../output/markup.js";
import { createNames, relativeUrl } from "../../../output/url.js";
import { paragraph, heading, table, type CellSource } from "../parts/block.js";
import { compareProtocols, type Changes } from "../changes/changes.js";
import { comparisonBlocks, legend } from "../changes/comparison-blocks.js";
import { COMPARE_PATH, pairFile, pairPath } from "../changes/pairs.js";
import type { Site } from "../site.js";
import type { RootPage } from "./root-page.js";

/** The pages that compare profiles, and the same as data. */
export interface ComparePages {
  readonly files: readonly (readonly [path: string, text: string])[];
  /** What the pages are, for lists of them. */
  readonly pages: readonly Omit<RootPage, "blocks">[];
}

/**
 * A page for any two profiles in either direction, and one to choose them; none
 * for a single profile. A comparison takes far more room than its page, so each
 * is made, printed and forgotten before the next.
 *
 * @param print gives the files of a page
 */
export function comparePages(
  sites: readonly Site[],
  print: (page: RootPage) => ComparePages["files"],
): ComparePages {
  if (sites.length < 2) return { pages: [], files: [] };
  const pairs = sites.flatMap((before) =>
    sites
      .filter((after) => after !== before)
      .map((after) => {
        const changes = compareProtocols(before.protocol, after.protocol);
        const { blocks, ...page } = pairPage(before, after, changes);
        const files: ComparePages["files"] = [
          ...print({ ...page, blocks }),
          [pairFile(before, after), `${JSON.stringify(changes)}\n`],
        ];
        return { before, after, verdict: verdict(changes), page, files };
      }),
  );
  const { blocks, ...choice } = choicePage(sites, pairs);
  return {
    pages: [choice, ...pairs.map(({ page }) => page)],
    files: [...print({ ...choice, blocks }), ...pairs.flatMap(({ files }) => files)],
  };
}

interface Pair {
  readonly before: Site;
  readonly after: Site;
  readonly verdict: string;
}

function choicePage(sites: readonly Site[], pairs: readonly Pair[]): RootPage {
  const cell = (before: Site, after: Site): CellSource => {
    const pair = pairs.find((item) => item.before === before && item.after === after);
    if (pair === undefined) return { lines: [], badges: [] };
    const text = `${before.protocol.profile} → ${after.protocol.profile}`;
    const url = relativeUrl(COMPARE_PATH, pairPath(before, after));
    return {
      lines: [inline(textLink(text, url)), inline(pair.verdict)],
      badges: [],
    };
  };
  return {
    path: COMPARE_PATH,
    title: "Compare profiles",
    lead: "What is added, removed and changed between any two profiles, and whom it breaks.",
    blocks: [
      paragraph(inline("Choose the old profile in the first column and the new one in its row.")),
      ...table(
        "Pairs of profiles",
        ["From", ...sites.map(({ protocol }) => `To ${protocol.title}`)],
        sites.map((before) => ({
          cells: [inline(before.protocol.title), ...sites.map((after) => cell(before, after))],
        })),
      ),
    ],
  };
}

function verdict({ sender, receiver }: Changes): string {
  if (sender === "safe") return receiver === "safe" ? "breaks nobody" : "breaks receivers";
  return receiver === "safe" ? "breaks senders" : "breaks both sides";
}

function pairPage(before: Site, after: Site, changes: Changes): RootPage {
  const path = pairPath(before, after);
  const [old, now] = [before.protocol.title, after.protocol.title];
  return {
    path,
    title: `From ${old} to ${now}`,
    lead: `What ${now} adds, removes and changes, seen from ${old}.`,
    blocks: [
      paragraph(
        inline(
          textLink("Other pairs", relativeUrl(path, COMPARE_PATH)),
          ". ",
          textLink("The other way round", relativeUrl(path, pairPath(after, before))),
          ". Also as ",
          textLink("JSON", relativeUrl(path, pairFile(before, after))),
          ".",
        ),
      ),
      ...legend(),
      ...comparisonBlocks(changes, {
        path,
        before,
        after,
        id: createNames(".", "exact"),
        heading,
      }),
    ],
  };
}
