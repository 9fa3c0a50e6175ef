import type { Step } from "../../../model/map-shape.js";
import { isValid, type DefinitionOf } from "../../../model/sample/conforms.js";
import type { Field, OtherVariant, Shape, TaggedShape } from "../../../model/shape.js";
import { isObject, type Json, type JsonObject } from "../../../schema/json-schema/json.js";
import type { Use } from "./type-uses.js";

/** A property in a value: where it is declared, if it is. */
type Property = Use | undefined;

/** Where a shape is in a definition. */
interface Place {
  readonly owner: string;
  readonly steps: readonly Step[];
}

/**
 * Finds the declaration of every property in a value of a definition.
 *
 * @param definition undefined for a value that no definition describes
 * @returns one entry for each name, in the order of the value's JSON text
 */
export function exampleProperties(
  value: Json,
  definition: string | undefined,
  definitionOf: DefinitionOf,
): readonly Property[] {
  const properties: Property[] = [];
  const owner = definition ?? "";
  visit(value, definition === undefined ? undefined : { kind: "reference", name: definition }, {
    owner,
    steps: [],
  });
  return properties;

  function visit(inner: Json, shape: Shape | undefined, place: Place): void {
    const [actual, at] = follow(shape, place);
    if (Array.isArray(inner)) {
      const list = alternative(inner, actual, at);
      const items = list?.shape?.kind === "list" ? list.shape.items.shape : undefined;
      for (const item of inner) visit(item, items, list?.place ?? at);
    } else if (isObject(inner)) {
      for (const [name, part] of Object.entries(inner)) {
        const found = find(name, inner, actual, at);
        properties.push(found && { owner: found.place.owner, steps: found.place.steps });
        visit(part, found?.shape ?? valuesOf(actual), found?.place ?? at);
      }
    }
  }

  /** Goes through references to the shape that describes a value. */
  function follow(shape: Shape | undefined, place: Place): [Shape | undefined, Place] {
    if (shape?.kind !== "reference") return [shape, place];
    const { shape: next, name } = definitionOf(shape.name);
    return follow(next, { owner: name, steps: [] });
  }

  /** Returns the alternative of a union that a value is; any other shape as it is. */
  function alternative(value: Json, shape: Shape | undefined, place: Place): Found {
    if (shape?.kind !== "union") return { shape, place };
    const variant = shape.variants.find(({ slot }) => isValid(slot, value, definitionOf));
    if (variant === undefined) return undefined;
    const step: Step = { kind: "variant", name: variant.name };
    const [inside, at] = follow(variant.slot.shape, { ...place, steps: [...place.steps, step] });
    return { shape: inside, place: at };
  }

  function find(name: string, value: JsonObject, given: Shape | undefined, from: Place): Found {
    const [shape, place] = follow(given, from);
    switch (shape?.kind) {
      case "object":
        return fieldIn(shape.fields, name, place);
      case "tagged": {
        const [body, step] = variantOf(shape, value) ?? [];
        if (step === undefined) return fieldIn(shape.shared, name, place);
        const inside = { ...place, steps: [...place.steps, step] };
        if (name === shape.tag) return { place: inside, shape: undefined };
        return fieldIn(shape.shared, name, place) ?? find(name, value, body, inside);
      }
      case "union": {
        const chosen = alternative(value, shape, place);
        const shared = fieldIn(shape.shared, name, place);
        return shared ?? (chosen && find(name, value, chosen.shape, chosen.place));
      }
      default:
        return undefined;
    }
  }
}

type Found = { readonly place: Place; readonly shape: Shape | undefined } | undefined;

function fieldIn(fields: readonly Field[], name: string, { owner, steps }: Place): Found {
  const field = fields.find((one) => one.name === name);
  return (
    field && { shape: field.shape, place: { owner, steps: [...steps, { kind: "field", name }] } }
  );
}

/** Returns the body and the step of the variant of a value. */
function variantOf(
  shape: TaggedShape,
  value: JsonObject,
): readonly [body: Shape, step: Step] | undefined {
  const tag = value[shape.tag];
  const listed = shape.variants.find((variant) => variant.value === tag);
  if (listed !== undefined) return [listed.body, { kind: "variant", name: listed.value }];
  const isAbsent = tag === undefined || tag === null;
  const other: OtherVariant | undefined = (isAbsent ? shape.absent : shape.open) ?? shape.fallback;
  return other && [other.body, { kind: "variant", name: other.title }];
}

function valuesOf(shape: Shape | undefined): Shape | undefined {
  return shape?.kind === "map" ? shape.values.shape : undefined;
}
