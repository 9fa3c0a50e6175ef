import { inline, type Inline } from "../../../output/markup.js";
import type { BadgeView } from "./badge-view.js";
import type { Block } from "./block.js";
import type { FigureView } from "./figure.js";

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

/** Returns a row with the given parts, and without the others. */
export function row(name: Inline, parts: Partial<Omit<Row, "name" | "facts">> = {}): Row {
  const { type, marks = [], badges = [] } = parts;
  const words = [...marks.map(({ text }) => text), ...badges.map(({ label }) => label)];
  return {
    id: "",
    within: "",
    name,
    type,
    marks,
    badges,
    facts: type === undefined ? words : [type, ...words],
    lenient: "",
    folded: undefined,
    text: [],
    notes: [],
    sentences: [],
    body: [],
    child: undefined,
    figure: undefined,
    ...parts,
  };
}

/** Returns marks for the words that are not empty. */
export function may(...words: readonly (string | Inline | undefined)[]): readonly Mark[] {
  return words.flatMap((word): Mark[] =>
    word === undefined || word === "" ? [] : [{ tone: "may", text: inline(word) }],
  );
}

/** Returns the mark of a part that may be required. */
export function presence({ required }: { readonly required: boolean }): readonly Mark[] {
  return required ? [{ tone: "must", text: inline("required") }] : may("optional");
}
