import type { StateSource } from "../../../schema/source/docs-source.js";

/** A state diagram; numbers are SVG user units. */
export type StateDiagram = ReturnType<typeof drawStates>;

/** The name of what leads along an edge, next to its middle. */
interface LabelView extends Point {
  readonly text: string;
  readonly anchor: "start" | "middle" | "end";
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const [WIDTH, HEIGHT, TOP, ROW] = [156, 36, 26, 104];
const COLUMNS = [210, 580] as const;
/** Between two edges that lead to and fro. */
const APART = 30;
/** The height of a line of a label. */
const LINE = 14;
const HEAD = 8;

/**
 * Draws states as boxes in two columns, and the edges between them with the names of the messages
 * that lead along them.
 *
 * @param id of the picture's title
 * @throws Error for an edge from or to a state that is not there
 */
export function drawStates(
  id: string,
  title: string,
  states: readonly StateSource[],
  edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly names: readonly string[];
  }[],
) {
  const centers = new Map(states.map((state) => [state.id, centerOf(state)]));
  const center = (state: string): Point => {
    const found = centers.get(state);
    if (found === undefined) throw new Error(`unknown state ${state}`);
    return found;
  };
  const bottom = Math.max(...[...centers.values()].map(({ y }) => y));
  return {
    ...{ id, title },
    height: bottom + HEIGHT / 2 + 4,
    boxes: states.map((state) => boxOf(centerOf(state), state.title)),
    edges: edges.map(({ from, to, names }) => {
      const isPair = edges.some((other) => other.from === to && other.to === from);
      return edgeOf(center(from), center(to), isPair ? APART / 2 : 0, names);
    }),
  };
}

function centerOf({ column, row }: StateSource): Point {
  return { x: COLUMNS[column], y: TOP + row * ROW };
}

function boxOf({ x, y }: Point, label: string) {
  const size = { width: WIDTH, height: HEIGHT };
  return { x: x - WIDTH / 2, y: y - HEIGHT / 2, ...size, textX: x, textY: y + 4, label };
}

/** @param aside the distance of the edge from the line between the centers, to its left */
function edgeOf(from: Point, to: Point, aside: number, names: readonly string[]) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const along: Point = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const across: Point = { x: along.y * aside, y: -along.x * aside };
  const back: Point = { x: -along.x, y: -along.y };
  const start = move(move(from, across, 1), along, exit(across, along));
  const tip = move(move(to, across, 1), back, exit(across, back));
  const end = move(tip, back, HEAD);
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  const side: Point = { x: along.y, y: -along.x };
  const points = [tip, move(end, side, HEAD / 2), move(end, side, -HEAD / 2)];
  return {
    x1: round(start.x),
    y1: round(start.y),
    x2: round(end.x),
    y2: round(end.y),
    // The points of a polygon.
    head: points.map(({ x, y }) => `${round(x)},${round(y)}`).join(" "),
    labels: labelsOf(names, middle, along, aside > 0),
  };
}

/**
 * Names stand above a level edge and to the right of others: on the side where a slanted edge leaves
 * room, and away from the edge in the opposite direction.
 */
function labelsOf(
  names: readonly string[],
  { x, y }: Point,
  along: Point,
  isPair: boolean,
): readonly LabelView[] {
  const above = LINE * (names.length - 1);
  const label = (anchor: LabelView["anchor"], left: number, top: number): readonly LabelView[] =>
    names.map((text, index) => {
      return { x: round(left), y: round(top + LINE * index), text, anchor };
    });
  if (Math.abs(along.y) < 0.1) return label("middle", x, y - 6 - above);
  if (Math.abs(along.x) > 0.1)
    return label("start", x + 8, along.x * along.y > 0 ? y - 4 - above : y + LINE);
  const top = y + 4 - above / 2;
  return isPair && along.y < 0 ? label("end", x - 6, top) : label("start", x + 6, top);
}

/** The distance from the center of a box to its border in a direction. */
function exit(offset: Point, { x, y }: Point): number {
  const reach = (half: number, at: number, direction: number): number =>
    direction === 0 ? Infinity : (half - Math.sign(direction) * at) / Math.abs(direction);
  return Math.min(reach(WIDTH / 2, offset.x, x), reach(HEIGHT / 2, offset.y, y));
}

function move({ x, y }: Point, direction: Point, distance: number): Point {
  return { x: x + direction.x * distance, y: y + direction.y * distance };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
