import type { Bridge } from "../../../model/bridge/build-bridge.js";
import { ANYWHERE } from "../../../model/bridge/foreign.js";
import type { DeclaredLoss } from "../../../model/bridge/rules.js";
import { innerShapes } from "../../../model/map-shape.js";
import { codeSpan, inline, prose, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import type { BridgeSource, ConversionDirection } from "../../../schema/bridge/bridge-source.js";
import { markdownBlocks, rootContext } from "../articles/guides/guide-blocks.js";
import { heading, subheading, table, type Block } from "../blocks/block.js";
import { stepId } from "../model/type-uses.js";
import type { PageLink, Site } from "../model/site.js";
import { LOSSES_PATH } from "../paths.js";
import type { RootPage } from "../root-page.js";

const TITLE = "Losses between version 1 and version 2";

/** The address and title of the page, where a mapping connects profiles of the site. */
export function lossLinks(bridges: readonly Bridge[]): readonly PageLink[] {
  return bridges.length === 0 ? [] : [{ path: LOSSES_PATH, title: TITLE, group: "manual" }];
}

/**
 * Lists every loss of the mapping between the versions, by direction and area.
 *
 * @param source the mapping; undefined for a schema without one
 * @param bridges the pairs of profiles that it connects
 * @returns no page without such a pair
 */
export function lossPages(
  source: BridgeSource | undefined,
  bridges: readonly Bridge[],
  sites: readonly Site[],
): readonly RootPage[] {
  if (source === undefined || bridges.length === 0) return [];
  return [
    {
      path: LOSSES_PATH,
      title: TITLE,
      lead: "What the conversion between the versions loses, and what acp-bridge does instead.",
      blocks: [
        ...markdownBlocks(
          INTRODUCTION,
          rootContext(() => undefined),
        ),
        ...directionBlocks("toV1", "From version 2 to version 1", bridges, source, sites),
        ...directionBlocks("toV2", "From version 1 to version 2", bridges, source, sites),
      ],
    },
  ];
}

const INTRODUCTION = `Everything that is not listed here converts without loss. There are three kinds of loss:

- approximate: the bridge sends something similar instead;
- dropped: the bridge sends the message without it;
- rejected: the bridge does not send the message, and answers a request with an error.

The bridge reports each loss with its part of the message and the sentence below. The lists cover all features; links lead to v1-full and v2-full.`;

function directionBlocks(
  direction: ConversionDirection,
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
        ["Part", "What happens", "Loss"],
        losses.map(({ place, kind, text }) => ({
          cells: [placeLink(place, places, source), sentence(text), inline(kind)],
        })),
      ),
    ]),
    subheading(`${direction}-conversation`, inline("In the course of a conversation")),
    ...table(
      `${title}: in the course of a conversation`,
      ["Loss", "What happens"],
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
function placeLink(place: string, sites: readonly Site[], source: BridgeSource): Inline {
  if (place === ANYWHERE) return inline("any property");
  for (const { protocol, methodPaths } of sites) {
    const path = methodPaths.get(place);
    if (path !== undefined)
      return inline(codeSpan(place, relativeUrl(LOSSES_PATH, `${protocol.profile}/${path}`)));
  }
  const [name = "", part] = place.split("/");
  // A property that only the definition of the other version has is named there.
  const names = [name, source.definitions.get(name)?.entry.v2 ?? name];
  const found = names.flatMap((owner) =>
    sites.flatMap(({ protocol, definitions, typePaths }) => {
      const path = typePaths.get(owner);
      if (path === undefined) return [];
      const steps = innerShapes(definitions.get(owner)!.shape).flatMap(({ step }) => step ?? []);
      const step = steps.find((one) => one.name === part);
      return [{ owner, path: `${protocol.profile}/${path}`, id: step && stepId([step]) }];
    }),
  );
  const target = found.find(({ id }) => id !== undefined) ?? found[0];
  const shown = [target?.owner ?? name, ...(part === undefined ? [] : [part])].join("/");
  const label = part === "*" ? `${name}, any other` : shown;
  const url = target && relativeUrl(LOSSES_PATH, target.path, target.id);
  return inline(codeSpan(label, url));
}
