import type { CodeBlock, Inline } from "../../../output/markup.js";
import type { Diagram } from "../diagrams/diagram.js";
import type { StateDiagram } from "../diagrams/state-diagram.js";
import type { BadgeView } from "./badge-view.js";
import { figure, sample, type FigureView, type TryIt } from "./figure.js";

/** One piece of a page, top to bottom. Exactly one of its parts is set. */
export interface Block {
  readonly heading: HeadingView | undefined;
  readonly subheading: HeadingView | undefined;
  readonly signature: SignatureView | undefined;
  readonly paragraph: ParagraphView | undefined;
  readonly items: readonly Inline[];
  /** Short items, shown in columns. */
  readonly names: readonly Inline[];
  readonly cards: readonly CardView[];
  /** Cards with lists of links. */
  readonly sections: readonly SectionView[];
  readonly steps: readonly Inline[];
  readonly table: TableView | undefined;
  readonly rows: RowList | undefined;
  readonly facts: readonly FactView[];
  readonly group: GroupView | undefined;
  readonly figure: FigureView | undefined;
  readonly diagram: Diagram | undefined;
  readonly states: StateDiagram | undefined;
  readonly note: NoteView | undefined;
  /** The form of the validator. */
  readonly form: true | undefined;
}

/** What a method or type is, in one line. */
export interface SignatureView {
  readonly id: string;
  /** The first item, which says most. */
  readonly way: Inline;
  readonly items: readonly Inline[];
  readonly badges: readonly BadgeView[];
}

export interface ParagraphView {
  readonly text: Inline;
  /** Selects the style; empty for plain text. */
  readonly tone: "" | "lead" | "small" | "label";
}

/** What belongs together, under a name. */
export interface FactView {
  /** Empty for one without links to it. */
  readonly id: string;
  readonly title: string;
  readonly items: readonly Inline[];
  /** Whether the items are words that run on, rather than lines. */
  readonly run: boolean;
}

/** The type of a part, where it stands. */
interface GroupView {
  readonly caption: Inline;
  readonly blocks: readonly Block[];
}

export interface SectionView {
  readonly title: Inline;
  readonly badges: readonly BadgeView[];
  readonly about: string;
  readonly links: readonly {
    readonly link: Inline;
    readonly badges: readonly BadgeView[];
    readonly note: string;
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
  readonly aside: Inline | undefined;
  /** Whether only assistive technology shows it, and no table of contents. */
  readonly isQuiet: boolean;
  readonly badges: readonly BadgeView[];
}

/** Rows below each other: properties, variants, values, errors, rules, methods. */
export interface RowList {
  /** Selects the style. */
  readonly tone: "" | "values" | "error";
  readonly rows: readonly Row[];
}

/** What a row is about, its facts in one line, and the text below. */
export interface Row {
  /** Empty for a row without links to it. */
  readonly id: string;
  /** The names of the variants around it, for formats without indentation. */
  readonly within: string;
  readonly name: Inline;
  readonly type: Inline | undefined;
  readonly marks: readonly Mark[];
  readonly badges: readonly BadgeView[];
  /** The type, the marks and the badges, for formats without styles. */
  readonly facts: readonly Inline[];
  /** What a lenient receiver makes of an invalid value, in short. */
  readonly lenient: string;
  /** What `_meta` is, which is the same nearly everywhere; undefined for other rows. */
  readonly folded: Inline | undefined;
  /** One item a paragraph. */
  readonly text: readonly Inline[];
  readonly notes: readonly Inline[];
  /** The same as `lenient` and the marks, in sentences. */
  readonly sentences: readonly Inline[];
  /** The content of a variant without a type of its own. */
  readonly body: readonly Block[];
  /** What its type consists of. */
  readonly child: ChildView | undefined;
  readonly figure: FigureView | undefined;
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
  signature: undefined,
  paragraph: undefined,
  items: [],
  names: [],
  cards: [],
  sections: [],
  steps: [],
  table: undefined,
  rows: undefined,
  facts: [],
  group: undefined,
  figure: undefined,
  diagram: undefined,
  states: undefined,
  note: undefined,
  form: undefined,
};

/** What a heading has besides its text. */
type HeadingExtras = Partial<Pick<HeadingView, "aside" | "isQuiet" | "badges">>;

export function heading(id: string, text: Inline, extras: HeadingExtras = {}): Block {
  return { ...NOTHING, heading: { id, text, ...PLAIN, ...extras } };
}

export function subheading(id: string, text: Inline): Block {
  return { ...NOTHING, subheading: { id, text, ...PLAIN } };
}

const PLAIN = { aside: undefined, isQuiet: false, badges: [] };

export function signature(view: SignatureView): Block {
  return { ...NOTHING, signature: view };
}

export function paragraph(text: Inline, tone: ParagraphView["tone"] = ""): Block {
  return { ...NOTHING, paragraph: { text, tone } };
}

export function paragraphs(texts: readonly Inline[], tone: ParagraphView["tone"] = ""): Block[] {
  return texts.map((text) => paragraph(text, tone));
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

/** Cards with lists of links; no block for no cards. */
export function sections(all: readonly SectionView[]): readonly Block[] {
  return all.length === 0 ? [] : [{ ...NOTHING, sections: all }];
}

/** Rows below each other; no block for no rows. */
export function rows(all: readonly Row[], tone: RowList["tone"] = ""): readonly Block[] {
  return all.length === 0 ? [] : [{ ...NOTHING, rows: { tone, rows: all } }];
}

/** The facts that have items; no block without any. */
export function facts(all: readonly FactView[]): readonly Block[] {
  const own = all.filter(({ items }) => items.length > 0);
  return own.length === 0 ? [] : [{ ...NOTHING, facts: own }];
}

export function group(caption: Inline, blocks: readonly Block[]): Block {
  return { ...NOTHING, group: { caption, blocks } };
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
  const view = rows.map((row): RowView => {
    const [head, ...cells] = row.cells.map((cell, index) => cellView(columns[index]!, cell));
    return { id: row.id ?? "", head: head!, cells };
  });
  return [{ ...NOTHING, table: { caption, columns, rows: view } }];
}

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

/** The plain text of text with code and links. */
export function textOf(pieces: Inline["pieces"]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      return piece.kind === "link" ? piece.text : piece.parts.map((part) => part.text).join("");
    })
    .join("");
}
