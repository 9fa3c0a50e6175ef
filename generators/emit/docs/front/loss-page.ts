import { checkBridges } from "../../../model/bridge/check-bridge.js";
import type { DeclaredLoss } from "../../../model/bridge/rules.js";
import type { Protocol } from "../../../model/protocol.js";
import { codeSpan, inline, prose } from "../../../output/markup.js";
import type { BridgeSource, Direction } from "../../../schema/bridge/bridge-source.js";
import { heading, paragraph, table, type Block } from "../parts/block.js";
import type { RootPage } from "./root-page.js";

const PATH = "tool/losses.html";

/** The sentences about the two directions. */
const DIRECTIONS: readonly (readonly [Direction, title: string])[] = [
  ["toV1", "From version 2 to version 1"],
  ["toV2", "From version 1 to version 2"],
];

/**
 * The page about what one version cannot say to the other, from the mapping between them.
 *
 * @returns no page when the mapping or one of the versions is absent
 */
export function lossPages(
  source: BridgeSource | undefined,
  protocols: readonly Protocol[],
): readonly RootPage[] {
  const bridge = source && checkBridges(source, protocols).bridges.at(-1);
  if (source === undefined || bridge === undefined) return [];
  const blocks = DIRECTIONS.flatMap(([direction, title]): Block[] => {
    const states = [...source.states]
      .filter(([, { entry }]) => entry.direction === direction)
      .map(([place, { entry }]): DeclaredLoss => ({
        kind: entry.loss,
        place,
        when: "state",
        text: entry.text,
      }));
    const losses = [...bridge[direction].losses, ...states];
    return [
      heading(direction, inline(title)),
      table(
        title,
        ["Place", "Loss", "Meaning"],
        losses.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(rowOf),
      ),
    ];
  });
  const lead =
    "What a message of one version cannot say in the other, and what acp-bridge does then.";
  return [
    {
      path: PATH,
      title: "What is lost between version 1 and version 2",
      lead,
      blocks: [
        paragraph(
          inline(
            "Approximate: something similar is sent instead. Dropped: the value is left out. Rejected: the message is not sent. Everything else keeps its meaning.",
          ),
        ),
        ...blocks,
      ],
    },
  ];
}

function rowOf({ place, kind, text }: DeclaredLoss) {
  return [inline(codeSpan(place)), inline(kind), prose(text, () => undefined)[0]!];
}
