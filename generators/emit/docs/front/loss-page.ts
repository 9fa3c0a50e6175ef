import type { Bridge } from "../../../model/bridge/build-bridge.js";
import { checkBridges } from "../../../model/bridge/check-bridge.js";
import { ANYWHERE } from "../../../model/bridge/foreign.js";
import type { DeclaredLoss } from "../../../model/bridge/rules.js";
import { innerShapes } from "../../../model/map-shape.js";
import { codeSpan, inline, prose, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import type { BridgeSource, Direction } from "../../../schema/bridge/bridge-source.js";
import { bullets, heading, paragraph, subheading, table, type Block } from "../parts/block.js";
import { stepId } from "../facts/type-uses.js";
import type { Site } from "../site-types.js";
import { LOSSES_PATH } from "../frame/paths.js";
import type { RootPage } from "./root-page.js";

/**
 * Lists every loss of the mapping between the versions, by direction and area.
 *
 * @param source the mapping; undefined for a schema without one
 * @returns no page when there is no mapping, or no pair of profiles that it connects
 */
export function lossPages(
  source: BridgeSource | undefined,
  sites: readonly Site[],
): readonly RootPage[] {
  const protocols = sites.map(({ protocol }) => protocol);
  const bridges = source === undefined ? [] : checkBridges(source, protocols).bridges;
  if (source === undefined || bridges.length === 0) return [];
  return [
    {
      path: LOSSES_PATH,
      title: "Losses between version 1 and version 2",
      lead: "Everything that a message of one version cannot say in the other, and what acp-bridge does with it.",
      blocks: [
        ...INTRODUCTION,
        ...directionBlocks("toV1", "From version 2 to version 1", bridges, source, sites),
        ...directionBlocks("toV2", "From version 1 to version 2", bridges, source, sites),
      ],
    },
  ];
}

const INTRODUCTION: readonly Block[] = [
  paragraph(
    inline(
      "The bridge converts messages between the versions by the mapping that this page lists. What is not listed keeps its meaning. A loss is of one of three kinds:",
    ),
  ),
  ...bullets([
    inline("approximate: something similar is sent in its place;"),
    inline("dropped: it is left out, and the rest is sent;"),
    inline("rejected: the message is not sent, and a request is answered with an error."),
  ]),
  paragraph(
    inline(
      "The bridge reports each loss with the place and the sentence that are given here. The lists are those of all profiles; the places lead to the profiles with all features.",
    ),
  ),
];

function directionBlocks(
  direction: Direction,
  title: string,
  bridges: readonly Bridge[],
  source: BridgeSource,
  sites: readonly Site[],
): readonly Block[] {
  const { v1, v2 } = bridges.at(-1)!;
  const [from, to] = direction === "toV1" ? [v2, v1] : [v1, v2];
  const places = [from, to].flatMap(
    ({ profile }) => sites.find(({ protocol }) => protocol.profile === profile) ?? [],
  );
  const losses = new Map(
    bridges
      .flatMap((bridge) => bridge[direction].losses)
      .map((loss) => [`${loss.place} ${loss.text}`, loss]),
  );
  const byArea = new Map<string, DeclaredLoss[]>();
  for (const loss of losses.values()) {
    const area = areaOf(loss.place, places);
    byArea.set(area, [...(byArea.get(area) ?? []), loss]);
  }
  const areas = [...byArea].sort(([one], [other]) => (one < other ? -1 : 1));
  const states = [...source.states.values()].filter(({ entry }) => entry.direction === direction);
  return [
    heading(direction, inline(title)),
    ...areas.flatMap(([area, losses], index) => [
      subheading(`${direction}-${index + 1}`, inline(area)),
      ...table(
        `${title}: ${area}`,
        ["Place", "Loss", "Meaning"],
        losses.map(({ place, kind, text }) => ({
          cells: [placeLink(place, places), inline(kind), sentence(text)],
        })),
      ),
    ]),
    subheading(`${direction}-conversation`, inline("In the course of a conversation")),
    ...table(
      `${title}: in the course of a conversation`,
      ["Loss", "Meaning"],
      states.map(({ entry }) => ({ cells: [inline(entry.loss), sentence(entry.text)] })),
    ),
  ];
}

function sentence(text: string): Inline {
  return inline(...prose(text, () => undefined));
}

/** Returns the title of the area of a place: `Definition/part`, or the name of a method. */
function areaOf(place: string, sites: readonly Site[]): string {
  for (const { protocol, definitions } of sites) {
    const method = protocol.methods.find(({ name }) => name === place);
    const definition = definitions.get(method?.params ?? place.split("/")[0]!);
    const area = protocol.areas.find(({ name }) => name === definition?.area);
    if (area !== undefined) return area.title;
  }
  if (place === ANYWHERE) return "Anywhere";
  throw new Error(`no profile has the place of a loss: ${place}`);
}

/** Returns a place as a link to where it is declared, in the first profile that has it. */
function placeLink(place: string, sites: readonly Site[]): Inline {
  if (place === ANYWHERE) return inline("any property");
  for (const { protocol, methodPaths } of sites) {
    const path = methodPaths.get(place);
    if (path !== undefined)
      return inline(codeSpan(place, relativeUrl(LOSSES_PATH, `${protocol.profile}/${path}`)));
  }
  const [name = "", part] = place.split("/");
  const found = sites.flatMap(({ protocol, definitions, typePaths }) => {
    const path = typePaths.get(name);
    if (path === undefined) return [];
    const steps = innerShapes(definitions.get(name)!.shape).flatMap(({ step }) => step ?? []);
    const step = steps.find((one) => one.name === part);
    return [{ path: `${protocol.profile}/${path}`, id: step && stepId([step]) }];
  });
  const target = found.find(({ id }) => id !== undefined) ?? found[0];
  const label = part === "*" ? `${name}, any other` : place;
  const url = target && relativeUrl(LOSSES_PATH, target.path, target.id);
  return inline(codeSpan(label, url));
}
