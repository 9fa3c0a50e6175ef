import type { Field, Shape, Slot } from "../shape.js";

/**
 * A named type for languages in which every object has one: a definition, a variant of a union, or
 * an object inside one. The shapes in a part refer to other parts and hold neither objects nor
 * unions of their own.
 */
export type Part = RecordPart | ChoicePart | UnionPart | AliasPart;

interface NamedPart {
  /** Distinct among all parts of a protocol; that of the definition where it is one. */
  readonly name: string;
  /** Where it comes from: the definition, then the variants and properties that lead to it. */
  readonly path: readonly string[];
  readonly description: string;
  readonly feature?: string;
}

/** An object with known properties. */
export interface RecordPart extends NamedPart {
  readonly kind: "record";
  /** The record whose properties it has besides its own. */
  readonly base?: string;
  /** The properties that select it among the variants of unions, with their values. */
  readonly tags: readonly Tag[];
  /** The record's own properties, without those of the base. */
  readonly fields: readonly Field[];
  /** Whether other properties are invalid, or have to be checked by a diagnosis. */
  readonly isClosed?: true;
  /** Whether a program may add other properties; those that were received can always be sent. */
  readonly isOpen?: true;
  /** The record's other properties, where all of them have one type. */
  readonly extra?: Slot;
  /** The words of the names of all properties, by property; those of the base have its words. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** The names of properties with which it is invalid. */
  readonly excludes: readonly string[];
}

export interface Tag {
  readonly name: string;
  readonly value: string;
}

/** A union whose alternatives are distinguished by the value of one property. */
export interface ChoicePart extends NamedPart {
  readonly kind: "choice";
  readonly tag: string;
  readonly cases: readonly Case[];
  /** Whether the schema itself accepts custom values of the tag. */
  readonly isOpen: boolean;
  /** The part for objects without a listed tag, whatever their tag is. */
  readonly fallback?: string;
  /** The part for objects whose tag is absent or null. */
  readonly absent?: string;
}

export interface Case {
  readonly value: string;
  readonly part: string;
}

/** A union without a tag: the first alternative that fits is meant. */
export interface UnionPart extends NamedPart {
  readonly kind: "union";
  readonly alternatives: readonly Alternative[];
  /** Whether a value that matches more than one alternative is invalid. */
  readonly isExclusive: boolean;
}

export interface Alternative extends Slot {
  /** That of the part where it is one; otherwise distinct from the names of all parts. */
  readonly name: string;
  /** The name for readers. */
  readonly title: string;
}

/** A name for any other shape. */
export interface AliasPart extends NamedPart {
  readonly kind: "alias";
  readonly shape: Shape;
  /** The values of an enumeration, for languages with a constant for each. */
  readonly values?: readonly NamedValue[];
}

export interface NamedValue {
  readonly value: string | number;
  /** Distinct from the names of all parts. */
  readonly name: string;
}

/**
 * The last word of names for variants and values that a schema does not list, e.g.
 * `ContentBlockUnlisted`. No part, alternative or value of an enumeration has such a name.
 */
export const UNLISTED = "Unlisted";

/** Returns whether the tag alone selects the case of a union. */
export function isByTag(part: Part): part is ChoicePart {
  return part.kind === "choice" && part.absent === undefined && part.fallback === undefined;
}
