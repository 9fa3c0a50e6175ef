/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * A JSON Schema 2020-12 object, limited to the keywords of our dialect
 * (`schema/dialect/`), which lists and explains them.
 */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $defs?: { readonly [name: string]: JsonSchema };
  readonly $ref?: string;
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly Json[];
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly unevaluatedProperties?: boolean;
  /** Of imported schemas: what properties accept whose names match a pattern. */
  readonly patternProperties?: { readonly [pattern: string]: JsonSchema };
  readonly propertyNames?: ExcludedNames;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly discriminator?: { readonly propertyName: string };
  readonly "x-deserialize-default-on-error"?: true;
  readonly "x-deserialize-default-on-null"?: true;
  readonly "x-deserialize-skip-invalid-items"?: true;
  readonly "x-side"?: string;
  readonly "x-method"?: string;
  readonly "x-docs-ignore"?: true;
  readonly "x-state"?: StateChanges;
  readonly "x-scope"?: EntityScope;
  /** In a module that versions share, the description in each of them; loading selects one. */
  readonly "x-descriptions"?: VersionTexts;
  readonly "x-meta"?: true | string;
  readonly "x-gate"?: GateSource;
  readonly "x-excludes"?: readonly string[];
  readonly "x-variant-gates"?: { readonly [tag: string]: GateSource };
  readonly "x-after"?: readonly string[];
  /** Set by composition: the feature that added this property, variant or value. */
  readonly "x-feature"?: string;
}

/** The names that an object must not have. */
export interface ExcludedNames {
  readonly not: { readonly const?: string; readonly enum?: readonly string[] };
}

/** What a message changes in what its receiver knows, in order; nothing where there is no entry. */
export interface StateChanges {
  /** Of the session that the message belongs to. */
  readonly session?: readonly StateChange[];
  readonly agent?: readonly StateChange[];
}

export interface StateChange {
  readonly action: "append" | "upsert" | "replace" | "remove";
  /** The part of the state, such as `toolCall`. */
  readonly target: string;
  /** The path in the message to the id of the target; absent where there is one target. */
  readonly id?: string;
  /** The path in the target to what changes; absent for all of it. */
  readonly field?: string;
  /** The path in the message to the value; absent for the message itself. */
  readonly value?: string;
}

/** What a message belongs to: paths in it, each of which can have the id of such an entity. */
export interface EntityScope {
  readonly [entity: string]: readonly string[];
}

/** Writes excluded names as JSON Schema has them. */
export function exclude([name, ...others]: readonly string[]): ExcludedNames {
  return { not: others.length === 0 ? { const: name! } : { enum: [name!, ...others] } };
}

/** Returns the names that an object must not have. */
export function excludedNames({ propertyNames: names }: JsonSchema): readonly string[] {
  return names?.not.enum ?? (names?.not.const === undefined ? [] : [names.not.const]);
}

/** A text for each protocol version, by its name. */
export interface VersionTexts {
  readonly [version: string]: string;
}

/** A capability gate as written in a module; has exactly one of the first four keys. */
export interface GateSource {
  /** No negotiation is required: part of the baseline, optional to honor, or not gated. */
  readonly always?: "baseline" | "optional" | "ungated";
  /** Path in what the agent advertised: its initialize response. */
  readonly agent?: string;
  /** Path in what the client advertised: its initialize request. */
  readonly client?: string;
  /** Path in the live state of the session. */
  readonly session?: string;
  /** The path is a list that must have an entry whose properties equal these message paths. */
  readonly entry?: { readonly [property: string]: string };
  /** Entries that do not count. */
  readonly except?: { readonly [property: string]: string };
  /** The path leads to an object; this message path leads to the key in it. */
  readonly key?: string;
  /** The requirement level; `must` when absent. */
  readonly strength?: "must" | "should" | "implicit";
}

/** Checks that a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Canonical text of a value: object keys sorted, no white space. Equal values
 * give equal text, whatever order their keys came in.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}
