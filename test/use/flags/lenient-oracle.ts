import {
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../../../generators/schema/json-schema/json.js";
import type { Fits } from "../values/complete.js";
import { resolve, smallestValue, type FlaggedProperty } from "./flagged.js";

/** One value of a flagged property, in its otherwise valid object. */
export interface Input {
  readonly kind: "missing" | "null" | "wrong type" | "mixed" | "all items wrong";
  readonly value: JsonObject;
}

/** The value that a lenient receiver must make of an input. */
export type Outcome =
  | { readonly ok: false; readonly pointer: string }
  | {
      readonly ok: true;
      readonly value: Json;
      readonly notes: readonly { readonly pointer: string; readonly rule: string }[];
    };

type Type = "null" | "boolean" | "string" | "integer" | "array" | "object";

/** One value of each type. */
const SAMPLES: { readonly [type in Type]: Json } = {
  null: null,
  boolean: true,
  string: "no such value",
  integer: 7,
  array: [],
  object: {},
};

/** The table of the protocol facts, section 1.2, for the flagged properties of one bundle. */
export function createOracle(
  bundle: JsonSchema,
  fits: Fits,
  complete: (definition: string, value: Json) => Json,
): {
  readonly inputs: (property: FlaggedProperty) => Input[];
  readonly expected: (property: FlaggedProperty, input: Input) => Outcome;
} {
  /** The types that a schema takes at all, whatever else it asks for. */
  function typesOf(schema: JsonSchema): ReadonlySet<Type> {
    const { type, const: constant, anyOf, oneOf, allOf } = resolve(schema, bundle);
    const variants = anyOf ?? oneOf;
    if (constant !== undefined) return new Set([typeOf(constant)]);
    if (typeof type === "object") return new Set(type as Type[]);
    if (type !== undefined) return new Set([type === "number" ? "integer" : (type as Type)]);
    if (variants !== undefined) return new Set(variants.flatMap((part) => [...typesOf(part)]));
    if (allOf !== undefined) return typesOf(allOf[0]!);
    return new Set(Object.keys(SAMPLES) as Type[]);
  }

  /** Values of every type that a schema never takes, null aside. */
  function wrongFor(schema: JsonSchema): Json[] {
    const types = typesOf(schema);
    return (Object.keys(SAMPLES) as Type[])
      .filter((type) => type !== "null" && !types.has(type))
      .map((type) => SAMPLES[type]);
  }

  function inputs({ base, name, schema }: FlaggedProperty): Input[] {
    const { items } = resolve(schema, bundle);
    const wrongItems = items === undefined ? [] : wrongFor(items);
    const item = items === undefined ? null : smallestValue(items, bundle);
    const having = (kind: Input["kind"], value: Json): Input => ({
      kind,
      value: { ...base, [name]: value },
    });
    return [
      { kind: "missing", value: base },
      having("null", null),
      ...wrongFor(schema).map((wrong) => having("wrong type", wrong)),
      ...wrongItems.map((wrong) => having("mixed", [item, wrong, item, wrong])),
      ...wrongItems.slice(0, 1).map((wrong) => having("all items wrong", [wrong, wrong])),
    ];
  }

  function expected(property: FlaggedProperty, { kind, value }: Input): Outcome {
    const { definition, name, schema, isRequired, base, unknownTag } = property;
    const path = `/${name}`;
    const notes =
      unknownTag === undefined || unknownTag === name
        ? []
        : [{ pointer: `/${unknownTag}`, rule: "unknown" }];
    const accepted = (result: JsonObject, ...repairs: readonly Repair[]): Outcome => ({
      ok: true,
      value: complete(definition, result),
      notes: [...repairs, ...notes],
    });
    const { type, items, minItems = 0 } = resolve(schema, bundle);
    const isNullable = typesOf(schema).has("null");
    const isList = items !== undefined;
    const found = value[name];
    if (kind === "missing") return isRequired ? { ok: false, pointer: path } : accepted(value);
    if (found === null && !isNullable && schema["x-deserialize-default-on-null"])
      return accepted(
        { ...value, [name]: type === "array" ? [] : {} },
        { pointer: path, rule: "default-on-null" },
      );
    // Any value of a property without a type, and what fits the untagged variant of a union.
    if (fits(`/$defs/${definition}`, value)) return accepted(value);
    if (Array.isArray(found) && isList && schema["x-deserialize-skip-invalid-items"]) {
      const entries = found.map((item: Json, index): [Json, string] => [item, `${path}/${index}`]);
      const wrong = wrongFor(items);
      const isWrong = ([item]: [Json, string]): boolean => wrong.includes(item);
      const kept = entries.filter((entry) => !isWrong(entry));
      if (kept.length >= minItems)
        return accepted(
          { ...value, [name]: kept.map(([item]) => item) },
          ...entries.filter(isWrong).map(([, at]) => ({ pointer: at, rule: "skip-invalid-items" })),
        );
    }
    if (!schema["x-deserialize-default-on-error"]) {
      // An item that is not skipped is an error of its own; a list without the skipped ones is too short.
      const isOfItem =
        Array.isArray(found) && isList && !schema["x-deserialize-skip-invalid-items"];
      return { ok: false, pointer: isOfItem ? `${path}/${kind === "mixed" ? 1 : 0}` : path };
    }
    const fallback = schema.default ?? (isList && !isNullable && minItems === 0 ? [] : undefined);
    if (fallback === undefined && isRequired) return { ok: false, pointer: path };
    const repaired = fallback === undefined ? base : { ...base, [name]: fallback };
    return accepted(repaired, { pointer: path, rule: "default-on-error" });
  }

  return { inputs, expected };
}

interface Repair {
  readonly pointer: string;
  readonly rule: string;
}

function typeOf(value: Json): Type {
  if (value === null) return "null";
  if (isObject(value)) return "object";
  return Array.isArray(value)
    ? "array"
    : typeof value === "number"
      ? "integer"
      : (typeof value as Type);
}
