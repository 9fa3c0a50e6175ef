import { checkBridges } from "../../../model/bridge/check-bridge.js";
import type { Bridge } from "../../../model/bridge/build-bridge.js";
import type { DeclaredLoss } from "../../../model/bridge/rules.js";
import type { Protocol } from "../../../model/protocol.js";
import { codeSpan, inline, prose, textLink, type Inline } from "../../../output/markup.js";
import { relativeUrl, urlToken, type Url } from "../../../output/url.js";
import type { BridgeSource, Direction, Placed } from "../../../schema/bridge/bridge-source.js";
import {
  bullets,
  cards,
  heading,
  names,
  paragraph,
  subheading,
  table,
  type Block,
} from "../parts/block.js";
import type { Site } from "../site-types.js";
import type { RootPage } from "./root-page.js";

const PATH = "tool/losses.html";
const TITLE = "What is lost between version 1 and version 2";
const LEAD =
  "What a message of one version cannot say in the other, and what acp-bridge does then.";

/** The page of the manual that leads to this one. */
const BRIDGE_PATH = "tool/bridge.html";

/** The directions of a conversion, and the version of what is converted. */
const DIRECTIONS: readonly (readonly [Direction, from: string, title: string])[] = [
  ["toV1", "v2", "From version 2 to version 1"],
  ["toV2", "v1", "From version 1 to version 2"],
];

/** A loss, the version of the message that loses, and the file that declares it. */
interface PlacedLoss extends DeclaredLoss {
  readonly file: string;
  readonly direction: Direction;
}

/** Returns the paths of the pages that `lossPages` makes. */
export function lossPaths(
  source: BridgeSource | undefined,
  protocols: readonly Protocol[],
): readonly string[] {
  return widestBridge(source, protocols) === undefined ? [] : [PATH];
}

/**
 * The page about what one version cannot say to the other, from the mapping between them.
 *
 * @returns no page when the mapping or one of the versions is absent
 */
export function lossPages(
  source: BridgeSource | undefined,
  sites: readonly Site[],
): readonly RootPage[] {
  const bridge = widestBridge(
    source,
    sites.map(({ protocol }) => protocol),
  );
  if (source === undefined || bridge === undefined) return [];
  const losses = lossesOf(source, bridge);
  const groups = [...source.titles]
    .map(([file, title]) => ({
      title,
      id: `losses-${urlToken(title.toLowerCase().replaceAll(" ", "-"))}`,
      own: losses.filter((loss) => loss.file === file),
    }))
    .filter(({ own }) => own.length > 0)
    .sort((a, b) => (a.title < b.title ? -1 : 1));
  return [
    {
      path: PATH,
      title: TITLE,
      lead: LEAD,
      blocks: [
        ...introduction(),
        ...names(groups.map(({ title, id }) => inline(textLink(title, toPart(id))))),
        ...groups.flatMap(({ title, id, own }) => [
          heading(id, inline(title)),
          ...DIRECTIONS.flatMap(([direction, from, words]) => {
            const rows = own.filter((loss) => loss.direction === direction);
            const find = linksTo(sites, from);
            return rows.length === 0
              ? []
              : [
                  subheading(`${id}-${from}`, inline(words)),
                  ...table(
                    `${title}: ${words.toLowerCase()}`,
                    ["Place", "Loss", "Meaning"],
                    rows.map((loss) => ({ cells: cellsOf(loss, source, find) })),
                  ),
                ];
          }),
        ]),
      ],
    },
  ];
}

/** Adds links to the pages about losses to the page of the manual about the bridge. */
export function withLosses(page: RootPage, losses: readonly RootPage[]): RootPage {
  if (page.path !== BRIDGE_PATH) return page;
  const links = losses.map(({ path, title, lead }) => ({
    link: inline(textLink(title, relativeUrl(page.path, path))),
    summary: inline(lead),
  }));
  return { ...page, blocks: [...page.blocks, ...cards(links)] };
}

function introduction(): readonly Block[] {
  const bridge = textLink("The bridge", relativeUrl(PATH, BRIDGE_PATH));
  return [
    paragraph(
      inline(
        bridge,
        " converts the messages between a client of one version and an agent of the other. What is not listed here keeps its meaning. The command and ",
        codeSpan("onLoss"),
        " report each loss with its place: a type or method, with a property, variant or value of it. The sign ",
        codeSpan("*"),
        " stands for everything that version 1 does not define.",
      ),
    ),
    ...bullets([
      inline("Approximate: something similar is sent instead."),
      inline("Dropped: the value is left out of the message."),
      inline("Rejected: the message is not sent; a request is answered with an error."),
    ]),
  ];
}

function widestBridge(
  source: BridgeSource | undefined,
  protocols: readonly Protocol[],
): Bridge | undefined {
  return source && checkBridges(source, protocols).bridges.at(-1);
}

/** The losses that values have by themselves, and those that depend on a conversation, by place. */
function lossesOf(source: BridgeSource, bridge: Bridge): readonly PlacedLoss[] {
  const fileOf = filesByName(source);
  const ofValues = DIRECTIONS.flatMap(([direction]) =>
    bridge[direction].losses.map((loss): PlacedLoss => {
      const file = fileOf.get(ownerOf(loss.place)) ?? fileOf.get(loss.place)!;
      return { ...loss, file, direction };
    }),
  );
  const ofStates = [...source.states].map(([place, { file, entry }]): PlacedLoss => {
    const { loss: kind, text, direction } = entry;
    return { kind, place, when: "state", text, file, direction };
  });
  return [...ofValues.sort((a, b) => (a.place < b.place ? -1 : 1)), ...ofStates];
}

/** The file of each definition and method. */
function filesByName({ definitions, methods }: BridgeSource): ReadonlyMap<string, string> {
  const pairs = (all: ReadonlyMap<string, Placed<unknown>>): (readonly [string, string])[] =>
    [...all].map(([name, { file }]) => [name, file]);
  return new Map([...pairs(definitions), ...pairs(methods)]);
}

/** The definition in `Definition/property`. */
function ownerOf(place: string): string {
  return place.split("/")[0]!;
}

/** Finds pages of methods and types in the first profile of a version that has them. */
function linksTo(sites: readonly Site[], version: string): (name: string) => Url | undefined {
  return (name) => {
    for (const { protocol, typePaths, methodPaths } of sites) {
      const path = typePaths.get(name) ?? methodPaths.get(name);
      if (protocol.version === version && path !== undefined)
        return relativeUrl(PATH, `${protocol.profile}/${path}`);
    }
    return undefined;
  };
}

function cellsOf(
  { place, when, kind, text }: PlacedLoss,
  { definitions }: BridgeSource,
  find: (name: string) => Url | undefined,
): readonly Inline[] {
  const own = find(place);
  const owner = ownerOf(place);
  const parts =
    own === undefined
      ? [{ text: owner, url: find(owner) }, { text: place.slice(owner.length) }]
      : [{ text: place, url: own }];
  const isValue = definitions.get(place)?.entry.values?.[when] !== undefined;
  const head = inline({ kind: "code", parts }, ...(isValue ? [": ", codeSpan(when)] : []));
  return [head, inline(kind), ...prose(text, find)];
}

/** The address of a part of the page. */
function toPart(id: string): Url {
  return relativeUrl(PATH, PATH, id);
}
