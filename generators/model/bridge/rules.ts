import type { LossKind } from "../../schema/bridge/bridge-source.js";
import type { Json } from "../../schema/json-schema/json.js";
import type { MethodSide } from "../../schema/source/sources.js";

/**
 * The conversion of values from one version to the other, as data for an interpreter. A place
 * without a rule keeps its value.
 */
export interface Conversion {
  /** By the name of the pair of definitions; pairs that keep every value have none. */
  readonly rows: { readonly [pair: string]: ConversionRule };
  /** Every loss that a rule can report; rules refer to them by index. */
  readonly losses: readonly DeclaredLoss[];
  /** By kind and name in the version that is converted, e.g. `request session/new`. */
  readonly methods: { readonly [method: string]: MethodRule };
}

export interface DeclaredLoss {
  readonly kind: LossKind;
  /** `Definition/property`, or the method. */
  readonly place: string;
  /** The reason, e.g. `present`, or the value that is lost. */
  readonly when: string;
  readonly text: string;
}

/** Names the rows for the messages of a method in the other version. */
export interface MethodRule {
  readonly side: MethodSide;
  /** The name in the other version; absent when it has no such method. */
  readonly name?: string;
  readonly params?: string;
  /** The row of the opposite direction that converts the result. */
  readonly result?: string;
  readonly loss?: number;
}

export type ConversionRule =
  | RowRule
  | ListRule
  | MapRule
  | FieldsRule
  | TaggedRule
  | ValuesRule
  | FirstRule
  | ComputeRule
  | WrapRule
  | MarkerRule
  | LimitRule
  | ForeignRule;

/** The rule of another pair. */
export interface RowRule {
  readonly row: string;
}

export interface ListRule {
  readonly list: ConversionRule;
}

export interface MapRule {
  readonly map: ConversionRule;
}

/** Converts the properties of an object; others are kept. */
export interface FieldsRule {
  readonly fields: { readonly [source: string]: FieldRule };
  /** Properties of properties. */
  readonly nested?: readonly NestedRule[];
  /** Properties to add, after all others were converted. */
  readonly fill?: readonly Fill[];
}

export interface FieldRule {
  /** The name in the result; the same when absent. */
  readonly to?: string;
  /** The property of the result that gets it. */
  readonly into?: string;
  readonly rule?: ConversionRule;
  /** The value is left out. */
  readonly drop?: true;
  readonly loss?: number;
  /** A neutral value that can be omitted without a loss. */
  readonly unless?: Json;
  /** The default, which is converted where there is no value. */
  readonly absent?: Json;
  /** Reported for properties of a marker. */
  readonly details?: number;
  /** Reported when there is no value, or false. */
  readonly missing?: number;
  /** Whether the result is invalid without it. */
  readonly needed?: true;
  /** How null is converted. */
  readonly ifNull?: ValueReplacement;
}

export interface NestedRule extends FieldRule {
  /** The property that holds the object, and the property in it. */
  readonly from: readonly [string, string];
}

/** A value that is sent instead; without one the original is left out. */
export interface ValueReplacement {
  readonly set?: Json;
  readonly loss?: number;
}

export interface Fill {
  readonly key: string;
  readonly into?: string;
  readonly set: Json;
  readonly loss?: number;
  /** Whether it replaces a value that is there. */
  readonly always?: true;
}

/** Converts an object by its tag. */
export interface TaggedRule {
  readonly tag: string;
  readonly variants: { readonly [value: string]: VariantRule };
  /** For tags that are not in `variants`, and where `untagged` is absent for objects without one. */
  readonly other?: VariantRule;
  /** For objects without a listed tag. */
  readonly untagged?: VariantRule;
  /**
   * The forms of the variants where `untagged` takes any tag, its own as `-`. An object whose tag
   * is listed is that variant unless it only has the form of `-`.
   */
  readonly forms?: { readonly [value: string]: ValueForm };
  readonly shared?: ConversionRule;
}

/** The types of a value and of everything in it. */
export type ValueForm =
  | "any"
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | { readonly nullable: ValueForm }
  | { readonly list: ValueForm }
  | { readonly map: ValueForm }
  | {
      readonly members: { readonly [name: string]: ValueForm };
      readonly required: readonly string[];
    };

export interface VariantRule {
  /** The tag of the result; null for a result without one. */
  readonly as?: string | null;
  readonly rule?: ConversionRule;
  /** The value cannot be sent. */
  readonly reject?: true;
  /** The value that is sent instead. */
  readonly set?: Json;
  readonly loss?: number;
}

/** Replaces values of an enumeration. */
export interface ValuesRule {
  readonly values: { readonly [value: string]: ValueReplacement };
  /** The values that are kept; with `other` only. */
  readonly known?: readonly (string | number)[];
  readonly other?: ValueReplacement;
}

/** The first alternative whose form a value, or an item of it, has. */
export interface FirstRule {
  readonly first: readonly { readonly form: ValueForm; readonly rule?: ConversionRule }[];
  /** The properties that all alternatives share. */
  readonly shared?: ConversionRule;
}

/** A function of the runtime, with the losses that it may report by reason. */
export interface ComputeRule {
  readonly compute: string;
  readonly losses: { readonly [reason: string]: number };
}

/** Adds a tag. */
export interface WrapRule {
  readonly wrap: { readonly tag: string; readonly value: string };
  readonly rule?: ConversionRule;
}

/** A boolean and an object that mean the same. */
export interface MarkerRule {
  readonly marker: "object" | "boolean";
  /** Reported for properties of the object. */
  readonly loss?: number;
}

/** Holds a list, a number or a text within the limits of the result. */
export interface LimitRule {
  readonly limit: {
    readonly least?: number;
    readonly most?: number;
    readonly minimum?: number;
    readonly maximum?: number;
    /** In Unicode code points. */
    readonly minLength?: number;
    readonly maxLength?: number;
    /** An ECMAScript regular expression with the flag `u`. */
    readonly pattern?: string;
  };
  /** Whether a number outside is replaced by the nearest allowed one. */
  readonly clamp?: true;
  readonly set?: Json;
  readonly loss?: number;
  readonly rule?: ConversionRule;
}

/**
 * Leaves out properties that the result's version defines in this place and the value's does not, so
 * that they do not get a meaning.
 */
export interface ForeignRule {
  readonly foreign: readonly string[];
  readonly loss: number;
  readonly rule?: ConversionRule;
}
