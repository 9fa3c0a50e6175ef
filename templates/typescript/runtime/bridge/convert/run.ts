import { pointerToken } from "../../validate/report-text.js";
import type { DeclaredLoss, LossKind } from "./table.js";

/** Something that the other version cannot say. */
export interface Loss {
  /** `approximate`: something similar was sent. `dropped`: left out. `rejected`: the message was not sent. */
  readonly kind: LossKind;
  /** The version that could not say it. */
  readonly to: "v1" | "v2";
  /** The part of the protocol: `Definition/property`, a method, or a state of the bridge. */
  readonly place: string;
  /** The reason or the value, as the mapping names it. */
  readonly when: string;
  /** A sentence for people. */
  readonly text: string;
  /** The JSON pointer of the value in the message that was converted. */
  readonly path: string;
}

/** Returned for a value that the other version cannot say at all. */
export const REJECTED: unique symbol = Symbol("rejected");

/** The most losses that are reported of one message. */
const MOST_LOSSES = 256;
/** Longer names of properties are cut in paths, in UTF-16 units. */
const MOST_OF_NAME = 256;

const NONE: readonly Loss[] = Object.freeze([]);

/** One conversion: the way to the current value, and the losses so far. */
export class Run {
  readonly path: (string | number)[] = [];
  readonly #declared: readonly DeclaredLoss[];
  readonly #to: "v1" | "v2";
  #losses: Loss[] | undefined;

  constructor(declared: readonly DeclaredLoss[], to: "v1" | "v2") {
    this.#declared = declared;
    this.#to = to;
  }

  /** The losses, which are one frozen list when there are none. */
  get losses(): readonly Loss[] {
    return this.#losses ?? NONE;
  }

  /** Reports a declared loss at the current value; nothing without an index. */
  lose(index: number | undefined): void {
    if (index === undefined) return;
    this.#losses ??= [];
    if (this.#losses.length >= MOST_LOSSES) return;
    const path = this.path
      .map((token) => pointerToken(String(token).slice(0, MOST_OF_NAME)))
      .join("");
    const { kind, place, when, text } = this.#declared[index]!;
    this.#losses.push({ kind, to: this.#to, place, when, text, path });
  }
}

/** Converts a value that stands in a message; `REJECTED` when it cannot be said. */
export type Convert = (value: unknown, run: Run) => unknown;
