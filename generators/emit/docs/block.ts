import type { CodeBlock, Inline } from "../../output/markup.js";
import type { Diagram } from "./diagram.js";
import type { BadgeView } from "./page.js";

/** One piece of an article, top to bottom. Exactly one of its parts is set. */
export interface Block {
  readonly heading: HeadingView | undefined;
  readonly subheading: HeadingView | undefined;
  readonly text: Inline | undefined;
  readonly items: readonly Inline[];
  readonly steps: readonly Inline[];
  readonly table: TableView | undefined;
  readonly code: CodeView | undefined;
  readonly diagram: Diagram | undefined;
  readonly note: NoteView | undefined;
}

export interface HeadingView {
  readonly id: string;
  readonly text: Inline;
  readonly badges: readonly BadgeView[];
}

export interface TableView {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly RowView[];
}

export interface RowView {
  /** Empty for a row that nothing links to. */
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

export interface CodeView {
  readonly caption: Inline | undefined;
  readonly code: CodeBlock;
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
  steps: [],
  table: undefined,
  code: undefined,
  diagram: undefined,
  note: undefined,
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

/** A list without numbers; nothing for no items. */
export function bullets(items: readonly Inline[]): readonly Block[] {
  return items.length === 0 ? [] : [{ ...NOTHING, items }];
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
  const view = rows.map(({ id = "", cells }): RowView => {
    const [head, ...rest] = cells.map((cell, index) => cellView(columns[index]!, cell));
    return { id, head: head!, cells: rest };
  });
  return [{ ...NOTHING, table: { caption, columns, rows: view } }];
}

export function codeExample(code: CodeBlock, caption?: Inline): Block {
  return { ...NOTHING, code: { caption, code } };
}

export function diagramBlock(diagram: Diagram): Block {
  return { ...NOTHING, diagram };
}

export function note(label: string, text: Inline): Block {
  return { ...NOTHING, note: { label, text } };
}

function cellView(column: string, cell: CellSource): CellView {
  return "markup" in cell ? { column, lines: [cell], badges: [] } : { column, ...cell };
}
