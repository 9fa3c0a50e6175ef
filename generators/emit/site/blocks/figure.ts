import { languageTitle } from "../../../output/highlight.js";
import type { CodeBlock, Inline } from "../../../output/markup.js";

/** Blocks of code below each other, or in tabs between which readers choose. */
export interface FigureView {
  /** Empty for one without links to it. */
  readonly id: string;
  /** Whether the code is right or wrong; empty for other code. */
  readonly tone: "" | "good" | "bad";
  readonly samples: readonly SampleView[];
  /** The name of the choice on the page; empty without tabs. */
  readonly choice: string;
  /** Whether the tabs are languages, of which readers choose one for all pages. */
  readonly areLanguages: boolean;
  readonly tabs: readonly TabView[];
}

export interface TabView {
  /** Counted from 1. */
  readonly number: number;
  readonly name: string;
  readonly samples: readonly SampleView[];
}

/** A block of code, and the bar above it. */
export interface SampleView {
  readonly title: Inline | undefined;
  /** The language, where nothing else says what the code is. */
  readonly label: string;
  readonly code: CodeBlock;
  /** How the validator opens with it; undefined for other code. */
  readonly tryIt: TryIt | undefined;
}

/**
 * How the validator reads a piece of code: a single message, a message
 * among those around it, a transcript, or a value of a type.
 */
export interface TryIt {
  readonly form: "message" | "conversation" | "transcript" | "value";
  /** The sender of the message where the method does not determine it. */
  readonly from: string;
  /** The type of a value. */
  readonly type: string;
}

export function tryIt(form: TryIt["form"], about: Partial<TryIt> = {}): TryIt {
  return { from: "", type: "", ...about, form };
}

/** @param title the name of the code; its language where that is absent */
export function sample(code: CodeBlock, title?: Inline, given?: TryIt): SampleView {
  const label = title === undefined ? (languageTitle(code.language) ?? "") : "";
  return { title, label, code, tryIt: given };
}

export function figure(samples: readonly SampleView[], tone: FigureView["tone"] = ""): FigureView {
  return { id: "", tone, samples, choice: "", areLanguages: false, tabs: [] };
}

/**
 * Returns a figure with tabs, or without them for a single one.
 *
 * @param choice an id that no other figure of the page has
 */
export function tabbed(
  choice: string,
  tabs: readonly Pick<TabView, "name" | "samples">[],
  areLanguages: boolean,
): FigureView {
  if (tabs.length === 1) return figure(tabs[0]!.samples);
  const views = tabs.map((tab, index) => ({ ...tab, number: index + 1 }));
  return { id: "", tone: "", samples: [], choice, areLanguages, tabs: views };
}
