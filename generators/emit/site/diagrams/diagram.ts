/** A sequence diagram; numbers are SVG user units. */
export type Diagram = ReturnType<typeof drawDiagram>;

interface DiagramMessage {
  readonly forward: boolean;
  readonly label: string;
  /** Responses have a dashed line. */
  readonly isAnswer: boolean;
}

const [LEFT, RIGHT, TOP, STEP] = [30, 330, 34, 34];

/**
 * Draws messages between two sides, one below the other. The picture is as wide
 * as a phone, 360 units.
 *
 * @param id of the picture's title
 * @param sides the first one is on the left
 */
export function drawDiagram(
  id: string,
  title: string,
  sides: { readonly from: string; readonly to: string },
  messages: readonly DiagramMessage[],
) {
  const bottom = TOP + messages.length * STEP + 12;
  return {
    ...{ id, title, bottom, height: bottom + 4, ...sides },
    arrows: messages.map(({ forward, label, isAnswer }, index) => {
      const y = TOP + (index + 1) * STEP;
      const [start, end] = forward ? [LEFT, RIGHT - 7] : [RIGHT, LEFT + 7];
      const tip = forward ? RIGHT : LEFT;
      return {
        ...{ start, end, y, textY: y - 7 },
        // The points of a polygon.
        head: `${tip},${y} ${end},${y - 4} ${end},${y + 4}`,
        label: label.length > 44 ? `${label.slice(0, 43)}…` : label,
        tone: isAnswer ? "answer" : "ask",
      };
    }),
  };
}
