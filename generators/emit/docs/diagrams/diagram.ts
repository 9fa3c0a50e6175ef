/** A sequence diagram; numbers are SVG user units. */
export interface Diagram {
  /** The id of the picture's title, for `aria-labelledby`. */
  readonly id: string;
  readonly title: string;
  readonly height: number;
  /** The bottom end of the lifelines. */
  readonly bottom: number;
  readonly from: string;
  readonly to: string;
  readonly arrows: readonly Arrow[];
}

export interface Arrow {
  readonly start: number;
  readonly end: number;
  readonly y: number;
  readonly textY: number;
  /** The head, as the points of a polygon. */
  readonly head: string;
  readonly label: string;
  /** Responses have a dashed line. */
  readonly tone: "ask" | "answer";
}

/** One message of a diagram. */
export interface DiagramMessage {
  readonly forward: boolean;
  readonly label: string;
  readonly isAnswer: boolean;
}

const [LEFT, RIGHT, TOP, STEP] = [30, 330, 34, 34];

/**
 * Draws messages between two sides, one below the other. The picture is as wide
 * as a phone, 360 units.
 *
 * @param from the side on the left
 */
export function drawDiagram(
  id: string,
  title: string,
  sides: { readonly from: string; readonly to: string },
  messages: readonly DiagramMessage[],
): Diagram {
  const bottom = TOP + messages.length * STEP + 12;
  return {
    id,
    title,
    height: bottom + 4,
    bottom,
    ...sides,
    arrows: messages.map(({ forward, label, isAnswer }, index) => {
      const y = TOP + (index + 1) * STEP;
      const [start, end] = forward ? [LEFT, RIGHT - 7] : [RIGHT, LEFT + 7];
      const tip = forward ? RIGHT : LEFT;
      return {
        start,
        end,
        y,
        textY: y - 7,
        head: `${tip},${y} ${end},${y - 4} ${end},${y + 4}`,
        label: label.length > 44 ? `${label.slice(0, 43)}…` : label,
        tone: isAnswer ? "answer" : "ask",
      };
    }),
  };
}
