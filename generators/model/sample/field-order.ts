import { isObject, type Json } from "../../schema/json-schema/json.js";
import type { Shape, Slot } from "../shape.js";
import { isValid, type DefinitionOf } from "./conforms.js";

/**
 * Returns a value with its properties in the protocol's order; undeclared properties come last, in
 * their original order.
 */
export function inFieldOrder(shape: Shape, value: Json, definitionOf: DefinitionOf): Json {
  if (typeof value !== "object" || value === null) return value;
  const parts = partsOf(shape, value, definitionOf);
  const inPart = (slot: Slot | undefined, part: Json): Json =>
    slot === undefined ? part : inFieldOrder(slot.shape, part, definitionOf);
  if (!isObject(value)) return value.map((item) => inPart(parts.each, item));
  const described = [...parts.fields.keys()].filter((name) => Object.hasOwn(value, name));
  const names = new Set([...described, ...Object.keys(value)]);
  return Object.fromEntries(
    [...names].map((name) => [name, inPart(parts.fields.get(name) ?? parts.each, value[name]!)]),
  );
}

/** The shapes of the parts of a value. */
interface Parts {
  /** The properties of the value, in the protocol's order. */
  readonly fields: ReadonlyMap<string, Slot>;
  /** Each item of a list, each value of a map. */
  readonly each?: Slot;
}

function partsOf(shape: Shape, value: Json, definitionOf: DefinitionOf): Parts {
  const inside = (inner: Shape): Parts => partsOf(inner, value, definitionOf);
  switch (shape.kind) {
    case "any":
    case "null":
    case "scalar":
    case "enum":
      return NONE;
    case "reference":
      return inside(definitionOf(shape.name).shape);
    case "list":
      return { ...NONE, each: shape.items };
    case "map":
      return { ...NONE, each: shape.values };
    case "object":
      return fields(shape.fields);
    case "tagged": {
      const { variants, open, absent, fallback } = shape;
      const tag = isObject(value) ? value[shape.tag] : undefined;
      const body = (variants.find((one) => one.value === tag) ?? open ?? absent ?? fallback)?.body;
      const tagSlot = { name: shape.tag, shape: { kind: "any" }, nullable: false } as const;
      return both(fields([tagSlot, ...shape.shared]), body === undefined ? NONE : inside(body));
    }
    case "union": {
      const fitting = shape.variants.find(({ slot }) => isValid(slot, value, definitionOf));
      const rest = fitting === undefined ? NONE : inside(fitting.slot.shape);
      return both(fields(shape.shared), rest);
    }
    default:
      return shape satisfies never;
  }
}

const NONE: Parts = { fields: new Map() };

function fields(list: readonly (Slot & { readonly name: string })[]): Parts {
  return { fields: new Map(list.map((field) => [field.name, field])) };
}

function both(one: Parts, other: Parts): Parts {
  return { ...other, fields: new Map([...one.fields, ...other.fields]) };
}
