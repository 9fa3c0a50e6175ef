import type { CodeBlock, Inline } from "../../../output/markup.js";
import type { Diagram } from "../diagrams/diagram.js";
import type { StateDiagram } from "../diagrams/state-diagram.js";
import type { BadgeView } from "./badge-view.js";
import { figure, sample, type FigureView, type TryIt } from "./figure.js";

/** One piece of an article, top to bottom. Exactly one of its parts is set. */
export interface Block {
  readonly heading: HeadingView | undefined;
  readonly subheading: HeadingView | undefined;
  readonly text: Inline | undefined;
  readonly items: readonly Inline[];
  /** Short items, shown in columns. */
  readonly names: readonly Inline[];
  readonly cards: readonly CardView[];
  readonly steps: readonly Inline[];
  readonly table: TableView | undefined;
  readonly figure: FigureView | undefined;
  readonly diagram: Diagram | undefined;
  readonly states: StateDiagram | undefined;
  readonly note: NoteView | undefined;
  /** The form of the validator. */
  readonly form: true | undefined;
}

/** A link and a line about its target. */
export interface CardView {
  readonly link: Inline;
  readonly summary: Inline;
}

export interface HeadingView {
  readonly id: string;
  readonly text: Inline;
  readonly badges: readonly BadgeView[];
}

export interface TableView {
  readonly caption: string;
  readonly columns: readonly ColumnView[];
  readonly rows: readonly RowView[];
}

export interface ColumnView {
  readonly name: string;
  /** Whether all of its cells are short. */
  readonly narrow: boolean;
}

export interface RowView {
  /** Empty for a row without links to it. */
  readonly id: string;
  readonly head: CellView;
  readonly cells: readonly CellView[];
}

export interface CellView {
  /** The column's name, for forms that have no columns. */
  readonly column: string;
  readonly lines: readonly Inline[];
  readonly badges: readonly BadgeView[];
}

export interface NoteView {
  readonly label: string;
  readonly text: Inline;
}

const NOTHING: Block = {
  heading: undefined,
  subheading: undefined,
  text: undefined,
  items: [],
  names: [],
  cards: [],
  steps: [],
  table: undefined,
  figure: undefined,
  diagram: undefined,
  states: undefined,
  note: undefined,
  form: undefined,
};

export function heading(id: string, text: Inline, badges: readonly BadgeView[] = []): Block {
  return { ...NOTHING, heading: { id, text, badges } };
}

export function subheading(id: string, text: Inline, badges: readonly BadgeView[] = []): Block {
  return { ...NOTHING, subheading: { id, text, badges } };
}

export function paragraph(text: Inline): Block {
  return { ...NOTHING, text };
}

/** A bulleted list; no block for no items. */
export function bullets(items: readonly Inline[]): readonly Block[] {
  return items.length === 0 ? [] : [{ ...NOTHING, items }];
}

/** A list of short items in columns; no block for no items. */
export function names(items: readonly Inline[]): readonly Block[] {
  return items.length === 0 ? [] : [{ ...NOTHING, names: items }];
}

/** Links with a line about each. */
export function cards(all: readonly CardView[]): readonly Block[] {
  return all.length === 0 ? [] : [{ ...NOTHING, cards: all }];
}

/** A list with numbers. */
export function numbered(steps: readonly Inline[]): Block {
  return { ...NOTHING, steps };
}

/** A cell: a line, or lines with badges. */
export type CellSource =
  Inline | { readonly lines: readonly Inline[]; readonly badges: readonly BadgeView[] };

/**
 * A table; the first cell of a row is its heading.
 *
 * @param columns as many as a row has cells
 */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly { readonly id?: string; readonly cells: readonly CellSource[] }[],
): readonly Block[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => row.cells.map((cell, index) => cellView(columns[index]!, cell)));
  const view = cells.map(([head, ...rest], index): RowView => {
    return { id: rows[index]!.id ?? "", head: head!, cells: rest };
  });
  const columnViews = columns.map((name, index): ColumnView => {
    const isShort = cells
      .flatMap((row) => [...row[index]!.lines, ...row[index]!.badges.map(({ label }) => label)])
      .every((line) => width(line) <= SHORT);
    return { name, narrow: columns.length > 2 && index > 0 && isShort };
  });
  return [{ ...NOTHING, table: { caption, columns: columnViews, rows: view } }];
}

/** Cells of a narrow column have at most so many characters. */
const SHORT = 18;

export function codeExample(
  code: CodeBlock,
  caption?: Inline,
  tryIt?: TryIt,
  tone?: FigureView["tone"],
): Block {
  return figureBlock(figure([sample(code, caption, tryIt)], tone));
}

/** Code on its own, or of several languages. */
export function figureBlock(view: FigureView): Block {
  return { ...NOTHING, figure: view };
}

export function diagramBlock(diagram: Diagram): Block {
  return { ...NOTHING, diagram };
}

export function stateDiagramBlock(states: StateDiagram): Block {
  return { ...NOTHING, states };
}

/** The form of the validator, which its script completes. */
export function validatorForm(): Block {
  return { ...NOTHING, form: true };
}

export function note(label: string, text: Inline): Block {
  return { ...NOTHING, note: { label, text } };
}

function cellView(column: string, cell: CellSource): CellView {
  return "markup" in cell ? { column, lines: [cell], badges: [] } : { column, ...cell };
}

function width({ pieces }: Inline): number {
  return textOf(pieces).length;
}

/** The plain text of text with code and links. */
export function textOf(pieces: Inline["pieces"]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      return piece.kind === "link" ? piece.text : piece.parts.map((part) => part.text).join("");
    })
    .join("");
}
