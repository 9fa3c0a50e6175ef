import type { CodeBlock, Inline } from "../../../output/markup.js";
import type { Diagram } from "../diagrams/diagram.js";
import type { StateDiagram } from "../diagrams/state-diagram.js";
import type { BadgeView } from "./badge-view.js";
import { figure, sample, type FigureView, type TryIt } from "./figure.js";

/** One piece of a page, top to bottom: one of its parts. */
export interface Block {
  readonly heading?: HeadingView;
  readonly subheading?: HeadingView;
  readonly signature?: SignatureView;
  readonly paragraph?: ParagraphView;
  readonly items?: readonly Inline[];
  /** Short items, shown in columns. */
  readonly names?: readonly Inline[];
  readonly cards?: readonly CardView[];
  /** Cards with lists of links. */
  readonly sections?: readonly SectionView[];
  /** A list with numbers. */
  readonly steps?: readonly Inline[];
  readonly table?: TableView;
  readonly rows?: RowList;
  readonly facts?: readonly FactView[];
  readonly group?: GroupView;
  /** Code on its own, or of several languages. */
  readonly figure?: FigureView;
  readonly diagram?: Diagram;
  readonly states?: StateDiagram;
  readonly note?: NoteView;
  /** The form of the validator, which its script completes. */
  readonly form?: true;
}

/** What a method or type is, in one line. */
export interface SignatureView {
  readonly id?: string;
  /** The first item, which says most. */
  readonly way: Inline;
  readonly items: readonly Inline[];
  readonly badges?: readonly BadgeView[];
}

export interface ParagraphView {
  readonly text: Inline;
  /** Selects the style; empty for plain text. */
  readonly tone: "" | "lead" | "small" | "label";
}

/** What belongs together, under a name. */
export interface FactView {
  /** Absent for one without links to it. */
  readonly id?: string;
  readonly title: string;
  readonly items: readonly Inline[];
  /** Whether the items are words that run on, rather than lines. */
  readonly run?: true;
}

/** The type of a part, where it stands. */
interface GroupView {
  readonly caption: Inline;
  readonly blocks: readonly Block[];
}

export interface SectionView {
  readonly title: Inline;
  readonly badges?: readonly BadgeView[];
  readonly about: string;
  readonly links: readonly {
    readonly link: Inline;
    readonly badges?: readonly BadgeView[];
    readonly note?: string;
  }[];
}

/** A link and a line about its target. */
export interface CardView {
  readonly link: Inline;
  readonly summary: Inline;
}

export interface HeadingView {
  readonly id: string;
  readonly text: Inline;
  /** The type or direction behind it. */
  readonly aside?: Inline;
  /** Whether only assistive technology shows it, and no table of contents. */
  readonly isQuiet?: boolean;
  readonly badges?: readonly BadgeView[];
}

/** Rows below each other: properties, variants, values, errors, rules, methods. */
export interface RowList {
  /** Selects the style. */
  readonly tone: "" | "values" | "error";
  readonly rows: readonly Row[];
}

/** What a row is about, its facts in one line, and the text below. */
export interface Row {
  /** Absent for a row without links to it. */
  readonly id?: string;
  /** The names of the variants around it, for formats without indentation. */
  readonly within?: string;
  readonly name: Inline;
  readonly type?: Inline | undefined;
  readonly marks?: readonly Mark[];
  readonly badges?: readonly BadgeView[];
  /** The type, the marks and the badges, for formats without styles. */
  readonly facts: readonly Inline[];
  /** What a lenient receiver makes of an invalid value, in short. */
  readonly lenient?: string;
  /** What `_meta` is, which is the same nearly everywhere; undefined for other rows. */
  readonly folded?: Inline | undefined;
  /** One item a paragraph. */
  readonly text?: readonly Inline[];
  readonly notes?: readonly Inline[];
  /** The same as `lenient` and the marks, in sentences. */
  readonly sentences?: readonly Inline[];
  /** The content of a variant without a type of its own. */
  readonly body?: readonly Block[];
  /** What its type consists of. */
  readonly child?: ChildView | undefined;
  readonly figure?: FigureView | undefined;
}

/** A fact about a row, in the weight that it has for readers. */
export interface Mark {
  readonly tone: "must" | "may";
  readonly text: Inline;
}

/** The parts of a type, shown where something has the type. */
export interface ChildView extends RowList {
  readonly summary: Inline;
  readonly open: boolean;
}

export interface TableView {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly RowView[];
}

export interface RowView {
  /** Undefined for a row without links to it. */
  readonly id: string | undefined;
  readonly head: CellView;
  readonly cells: readonly CellView[];
}

export interface CellView extends CellLines {
  /** The column's name, for forms that have no columns. */
  readonly column: string;
}

/** The lines of a cell, and the badges behind them. */
interface CellLines {
  readonly lines: readonly Inline[];
  readonly badges?: readonly BadgeView[];
}

export interface NoteView {
  readonly label: string;
  readonly text: Inline;
}

/** What a heading has besides its text. */
type HeadingExtras = Pick<HeadingView, "aside" | "isQuiet" | "badges">;

export function heading(id: string, text: Inline, extras: HeadingExtras = {}): Block {
  return { heading: { id, text, ...extras } };
}

export function subheading(id: string, text: Inline, badges: HeadingView["badges"] = []): Block {
  return { subheading: { id, text, badges } };
}

export function paragraph(text: Inline, tone: ParagraphView["tone"] = ""): Block {
  return { paragraph: { text, tone } };
}

export function paragraphs(texts: readonly Inline[], tone: ParagraphView["tone"] = ""): Block[] {
  return texts.map((text) => paragraph(text, tone));
}

/** A bulleted list; no block for no items. */
export function bullets(items: readonly Inline[]): readonly Block[] {
  return items.length === 0 ? [] : [{ items }];
}

/** A list of short items in columns; no block for no items. */
export function names(items: readonly Inline[]): readonly Block[] {
  return items.length === 0 ? [] : [{ names: items }];
}

/** Links with a line about each. */
export function cards(all: readonly CardView[]): readonly Block[] {
  return all.length === 0 ? [] : [{ cards: all }];
}

/** Cards with lists of links; no block for no cards. */
export function sections(all: readonly SectionView[]): readonly Block[] {
  return all.length === 0 ? [] : [{ sections: all }];
}

/** Rows below each other; no block for no rows. */
export function rows(all: readonly Row[], tone: RowList["tone"] = ""): readonly Block[] {
  return all.length === 0 ? [] : [{ rows: { tone, rows: all } }];
}

/** The facts that have items; no block without any. */
export function facts(all: readonly FactView[]): readonly Block[] {
  const own = all.filter(({ items }) => items.length > 0);
  return own.length === 0 ? [] : [{ facts: own }];
}

/** A cell: a line, or lines with badges. */
export type CellSource = Inline | CellLines;

/**
 * A table; the first cell of a row is its heading.
 *
 * @param columns as many as a row has cells
 */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly { readonly id?: string | undefined; readonly cells: readonly CellSource[] }[],
): readonly Block[] {
  if (rows.length === 0) return [];
  const view = rows.map((row): RowView => {
    const [head, ...cells] = row.cells.map((cell, index) => cellView(columns[index]!, cell));
    return { id: row.id, head: head!, cells };
  });
  return [{ table: { caption, columns, rows: view } }];
}

export function codeExample(
  code: CodeBlock,
  caption?: Inline,
  tryIt?: TryIt,
  tone?: FigureView["tone"],
): Block {
  return { figure: figure([sample(code, caption, tryIt)], tone) };
}

export function note(label: string, text: Inline): Block {
  return { note: { label, text } };
}

function cellView(column: string, cell: CellSource): CellView {
  return "markup" in cell ? { column, lines: [cell] } : { column, ...cell };
}

/** The plain text of text with code and links. */
export function inlineText({ pieces }: Inline): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      return piece.kind === "link" ? piece.text : piece.parts.map((part) => part.text).join("");
    })
    .join("");
}
