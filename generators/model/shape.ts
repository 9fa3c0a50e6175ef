import type { Json, StateChanges } from "../schema/json-schema/json.js";
import type { Gate } from "./gate.js";

/**
 * The shapes of values: one closed set of kinds, used for definitions and for
 * every place inside them; a new kind breaks the build of every emitter that
 * does not know it.
 */
export type Shape =
  | AnyShape
  | NullShape
  | ScalarShape
  | EnumShape
  | ListShape
  | MapShape
  | ObjectShape
  | ReferenceShape
  | TaggedShape
  | UnionShape;

/** Any JSON value. */
export interface AnyShape {
  readonly kind: "any";
}

/** Only `null`. A shape that may also be null is a slot with `nullable`. */
export interface NullShape {
  readonly kind: "null";
}

/** A string, number or boolean, with what restricts it. */
export interface ScalarShape {
  readonly kind: "scalar";
  readonly type: "string" | "integer" | "number" | "boolean";
  /** The only value of a boolean. Constants of strings and integers are enumerations. */
  readonly constant?: boolean;
  /** An annotation such as `int64` or `uri`; never checked. `integerWidth` reads that of integers. */
  readonly format?: string;
  /** An annotation such as `base64`; never checked. */
  readonly encoding?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  /** In Unicode code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /**
   * An ECMAScript regular expression with the flag `u`, in the subset that every engine has: a
   * sequence of characters, escapes and classes with quantifiers, between `^` and `$`. Without
   * groups, alternatives, references and assertions it needs no backtracking. `\d`, `\w` and `\s`
   * mean what they do in ECMAScript.
   */
  readonly pattern?: string;
}

/** A fixed list of strings or integers; `open` also takes others. */
export interface EnumShape {
  readonly kind: "enum";
  readonly type: "string" | "integer";
  readonly values: readonly EnumValue[];
  /**
   * The name of values that are not listed; absent when they are invalid. Senders use only strings
   * that begin with an underscore, unless the form of the enumeration `isReceived`.
   */
  readonly open?: {
    readonly title: string;
    readonly description: string;
    readonly isReceived?: boolean;
  };
  /** An annotation such as `int32`. */
  readonly format?: string;
}

export interface EnumValue {
  readonly value: string | number;
  /** A name for people, e.g. of an error code. */
  readonly title?: string;
  readonly description: string;
  readonly gate?: Gate;
  readonly feature?: string;
}

/** An array. */
export interface ListShape {
  readonly kind: "list";
  readonly items: Slot;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** An object with any keys and values of one shape. */
export interface MapShape {
  readonly kind: "map";
  readonly values: Slot;
}

/** An object with known properties. Unknown ones are kept, and allowed unless it is closed. */
export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Set where the schema declares that unknown properties carry data. */
  readonly extensible?: true;
  /** Set where other properties are invalid, as imported schemas may have it. */
  readonly closed?: true;
  /** What other properties accept whose names match patterns, in imported schemas. */
  readonly patterns?: readonly PatternProperties[];
  /** What the other properties accept, in imported schemas. */
  readonly others?: Slot;
  /** The names of properties that make it another variant: with one of them, it is invalid. */
  readonly excludes?: readonly string[];
}

/** Properties whose names match a pattern, an ECMAScript regular expression with the flag `u`. */
export interface PatternProperties {
  readonly pattern: string;
  readonly values: Slot;
}

/** Another definition. */
export interface ReferenceShape {
  readonly kind: "reference";
  readonly name: string;
}

/**
 * A union whose variants are distinguished by one string property, the tag. Every
 * variant is an object that also has `shared`.
 */
export interface TaggedShape {
  readonly kind: "tagged";
  readonly tag: string;
  /** The facts about the tag's property other than its values, e.g. that it may be repaired. */
  readonly tagField?: Field;
  readonly variants: readonly TaggedVariant[];
  /** The variant for tags that are not listed; absent when they are invalid. */
  readonly open?: OtherVariant;
  /** The variant for objects without a listed tag, whatever their tag is. */
  readonly fallback?: OtherVariant;
  /** The variant for objects whose tag is absent or null. */
  readonly absent?: OtherVariant;
  /** Properties of every variant. */
  readonly shared: readonly Field[];
}

export interface TaggedVariant {
  /** The tag's value. */
  readonly value: string;
  readonly description: string;
  /** The rest of the variant: an object, a reference to one, or a union of such. */
  readonly body: Shape;
  /** What such an update changes in the state of its session, where the schema says so. */
  readonly state?: StateChanges;
  readonly gate?: Gate;
  readonly feature?: string;
}

export interface OtherVariant {
  readonly title: string;
  readonly description: string;
  readonly body: Shape;
}

/** A union without a tag: the first variant that fits is meant. */
export interface UnionShape {
  readonly kind: "union";
  readonly variants: readonly UnionVariant[];
  /** Whether a value that matches more than one variant is invalid (`oneOf`). */
  readonly exclusive: boolean;
  /** Properties that all alternatives share. */
  readonly shared: readonly Field[];
}

export interface UnionVariant {
  /** The name for readers: its title in the schema, or else its kind. */
  readonly name: string;
  /** The title in the schema; variants that are plainly `null` have none. */
  readonly title?: string;
  readonly description: string;
  readonly slot: Slot;
  readonly feature?: string;
}

/** A place that holds a value: its shape, and whether `null` is allowed too. */
export interface Slot {
  readonly shape: Shape;
  readonly nullable: boolean;
}

/** One property. Optional, nullable and default are three different facts. */
export interface Field extends Slot {
  /** The name on the wire. */
  readonly name: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly required: boolean;
  /** The value that a receiver assumes when the property is absent. */
  readonly default?: Json;
  readonly decode: DecodeRules;
  readonly gate?: Gate;
  /** Gates that hold for variants of the referenced union in this place only, by tag. */
  readonly variantGates: { readonly [tag: string]: Gate };
  readonly feature?: string;
}

/** The repair that a lenient receiver makes to a value that a strict one rejects. */
export interface DecodeRules {
  /** Present but invalid: take the default. */
  readonly defaultOnError: boolean;
  /** Null: take the empty list or map. */
  readonly defaultOnNull: boolean;
  /** Drop invalid items, keep the others. */
  readonly skipInvalidItems: boolean;
}
