import { isObject, type Json } from "../../schema/json-schema/json.js";
import type { Protocol } from "../protocol.js";
import type { Field, Shape, Slot } from "../shape.js";
import { conforms, isValid, type DefinitionOf } from "./conforms.js";

/** The values that the examples of a protocol show, by what they are values of. */
export interface ExampleValues {
  /**
   * Values of a definition: its own examples and those of methods, the one that
   * shows most first, then parts of other examples.
   */
  readonly ofDefinition: (name: string) => readonly Json[];
  /**
   * Values of a property, by the definition that contains it, and then the items of lists that
   * have its name in any definition.
   */
  readonly ofField: (definition: string, field: string) => readonly Json[];
}

/**
 * Looks through every example of definitions and methods. Only what may be sent
 * counts, so that an error in an example has no effect.
 */
export function collectExampleValues(
  { definitions, methods }: Protocol,
  definitionOf: DefinitionOf,
): ExampleValues {
  const whole = new ValueLists();
  const parts = new ValueLists();
  const fields = new ValueLists();
  const items = new ValueLists();

  /** @param owner the definition that contains the slot */
  const visit = (slot: Slot, value: Json, owner: string): void => {
    if (value !== null || !slot.nullable) visitShape(slot.shape, value, owner);
  };
  const visitFirst = (slots: readonly Slot[], value: Json, owner: string): void => {
    const slot = slots.find((candidate) => isValid(candidate, value, definitionOf));
    if (slot !== undefined) visit(slot, value, owner);
  };
  const visitFields = (shown: readonly Field[], value: Json, owner: string): void => {
    for (const field of shown) {
      if (!isObject(value) || !Object.hasOwn(value, field.name)) continue;
      const part = value[field.name]!;
      if (part !== null) fields.add(`${owner}.${field.name}`, part);
      if (Array.isArray(part)) part.forEach((item: Json) => items.add(field.name, item));
      visit(field, part, owner);
    }
  };
  const visitShape = (shape: Shape, value: Json, owner: string): void => {
    switch (shape.kind) {
      case "reference":
        parts.add(shape.name, value);
        return visitShape(definitionOf(shape.name).shape, value, shape.name);
      case "list":
        return (value as readonly Json[]).forEach((item) => visit(shape.items, item, owner));
      case "map":
        return Object.values(value!).forEach((part: Json) => visit(shape.values, part, owner));
      case "object":
        return visitFields(shape.fields, value, owner);
      case "tagged": {
        visitFields(shape.shared, value, owner);
        const { variants, open, absent, fallback } = shape;
        const tag = isObject(value) ? value[shape.tag] : undefined;
        const listed = variants.find((variant) => variant.value === tag);
        const bodies = [listed, open, absent, fallback].flatMap((variant) => variant?.body ?? []);
        const slots = bodies.map((body) => ({ shape: body, nullable: false }));
        return visitFirst(slots, without(value, shape.tag), owner);
      }
      case "union":
        visitFields(shape.shared, value, owner);
        return visitFirst(
          shape.variants.map(({ slot }) => slot),
          value,
          owner,
        );
      case "any":
      case "null":
      case "scalar":
      case "enum":
        return;
      default:
        return shape satisfies never;
    }
  };

  const visitExample = (name: string, value: Json | undefined): void => {
    const slot: Slot = { shape: { kind: "reference", name }, nullable: false };
    if (value === undefined || !conforms(slot, value, definitionOf)) return;
    whole.add(name, value);
    visitShape(definitionOf(name).shape, value, name);
  };
  for (const { name, examples } of definitions)
    examples.forEach((value) => visitExample(name, value));
  for (const { params, result, examples } of methods) {
    for (const example of examples) {
      visitExample(params, example.params);
      if (result !== undefined) visitExample(result, example.result);
    }
  }
  return {
    ofDefinition: (name) => [
      ...whole.get(name).toSorted((one, other) => countValues(other) - countValues(one)),
      ...parts.get(name),
    ],
    ofField: (definition, field) => [...fields.get(`${definition}.${field}`), ...items.get(field)],
  };
}

/** Counts the values that a value consists of. */
export function countValues(value: Json): number {
  if (value === null || typeof value !== "object") return 1;
  return Object.values(value).reduce((sum: number, part: Json) => sum + countValues(part), 1);
}

/** Returns the fields of a variant other than its tag. */
function without(value: Json, tag: string): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== tag));
}

/** Values by a key, in the order in which they came. */
class ValueLists {
  readonly #lists = new Map<string, Json[]>();

  add(key: string, value: Json): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [value]);
    else list.push(value);
  }

  get(key: string): readonly Json[] {
    return this.#lists.get(key) ?? [];
  }
}
