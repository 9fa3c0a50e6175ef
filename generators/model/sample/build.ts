import { isObject, type Json, type JsonObject } from "../../schema/json-schema/json.js";
import type {
  EnumShape,
  Field,
  ListShape,
  ScalarShape,
  Shape,
  Slot,
  TaggedShape,
  TaggedVariant,
  UnionShape,
} from "../shape.js";
import { conforms, type DefinitionOf } from "./conforms.js";
import { valuesFor } from "./scalars.js";
import { firstBuildable, SampleError } from "./sample-error.js";
import { LONGEST } from "./pattern.js";
import type { ExampleValues } from "./example-values.js";

/** Makes the parts of one sample. Its functions throw SampleError. */
export interface SampleBuilder {
  readonly typical: (definition: string) => Json;
  readonly full: (definition: string) => Json;
  readonly variant: (definition: string, shape: TaggedShape, variant: TaggedVariant) => Json;
}

/** The context in which a value is built. */
interface Place {
  /** Whether it gets all properties, or only the required ones. */
  readonly isFull: boolean;
  /** The definition that contains it. */
  readonly owner: string;
  /** The name of the property or of the definition. */
  readonly label: string;
  /** The enclosing definitions that are being built with only the required properties. */
  readonly around: readonly string[];
}

/** A sample with more values in it is of no use. */
const MOST_VALUES = 10_000;

/** @param examples the values that examples show; they are preferred */
export function createSampleBuilder(
  definitionOf: DefinitionOf,
  examples: ExampleValues,
): SampleBuilder {
  const writtenOut = new Set<string>();
  let count = 0;

  const isRight = (shape: Shape, value: Json): boolean =>
    conforms({ shape, nullable: false }, value, definitionOf);

  function buildTypical(name: string, label: string, around: readonly string[]): Json {
    const shape = { kind: "reference", name } as const;
    const shown = examples.ofDefinition(name).find((value) => isRight(shape, value));
    if (shown !== undefined) return shown;
    if (around.includes(name)) throw new SampleError(`"${name}" contains itself without end`);
    const place = { isFull: false, owner: name, label, around: [...around, name] };
    return buildShape(definitionOf(name).shape, place);
  }

  function buildReference(name: string, at: Place): Json {
    const shown = isScalar(name) ? examples.ofField(at.owner, at.label) : [];
    const value = shown.find((candidate) => isRight({ kind: "reference", name }, candidate));
    if (value !== undefined) return value;
    if (!isWrittenOut(name, at)) return buildTypical(name, at.label, at.around);
    return buildShape(definitionOf(name).shape, { ...at, owner: name });
  }

  /** Checks whether to build a definition in full here, which happens once. */
  function isWrittenOut(name: string, at: Place): boolean {
    if (!at.isFull || isScalar(name) || writtenOut.has(name)) return false;
    writtenOut.add(name);
    return true;
  }

  function isScalar(name: string): boolean {
    return ["any", "enum", "scalar"].includes(definitionOf(name).shape.kind);
  }

  function buildShape(shape: Shape, at: Place): Json {
    if (++count > MOST_VALUES) throw new SampleError("it would be huge");
    switch (shape.kind) {
      case "any":
        return {};
      case "null":
        return null;
      case "scalar":
      case "enum":
        return buildScalar(shape, at);
      case "list":
        return buildList(shape, at);
      case "map":
        return at.isFull ? { key: buildSlot(shape.values, at) } : {};
      case "object":
        return buildFields(shape.fields, at);
      case "reference":
        return buildReference(shape.name, at);
      case "tagged":
        return buildTagged(shape, at);
      case "union":
        return buildUnion(shape, at);
      default:
        return shape satisfies never;
    }
  }

  function buildSlot(slot: Slot, at: Place): Json {
    return slot.nullable
      ? firstBuildable([() => buildShape(slot.shape, at), () => null])
      : buildShape(slot.shape, at);
  }

  function buildScalar(shape: ScalarShape | EnumShape, at: Place): Json {
    const shown = at.isFull && isFlag(shape) ? [] : examples.ofField(at.owner, at.label);
    const candidates = [...shown, ...valuesFor(shape, at.label)];
    const value = candidates.find((candidate) => isRight(shape, candidate));
    if (value !== undefined) return value;
    throw new SampleError(`no simple value conforms to the restrictions of "${at.label}"`);
  }

  function buildList({ items, minItems = 0, maxItems = Infinity }: ListShape, at: Place): Json {
    if (minItems > LONGEST) throw new SampleError(`"${at.label}" wants ${minItems} items`);
    if (!at.isFull && minItems === 0) return [];
    const built = at.isFull
      ? firstBuildable([() => buildItems(items, at), ...(minItems === 0 ? [() => []] : [])])
      : [buildSlot(items, at)];
    const repeated = Array.from(
      { length: Math.max(minItems, built.length) },
      (_, index) => built[index % built.length]!,
    );
    return repeated.slice(0, maxItems);
  }

  /** An item of every kind that a list may have. */
  function buildItems({ shape, nullable }: Slot, at: Place): readonly Json[] {
    switch (shape.kind) {
      case "enum":
        return shape.values.length > 0
          ? shape.values.map(({ value }) => value)
          : [buildShape(shape, at)];
      case "tagged": {
        const others = [shape.fallback, shape.absent].flatMap((other) => other ?? []);
        const kinds = [...shape.variants, ...others];
        return kinds.length > 0
          ? kinds.map((variant) => buildVariant(shape, variant, at))
          : [buildShape(shape, at)];
      }
      case "reference": {
        const inner = { shape: definitionOf(shape.name).shape, nullable };
        if (inner.shape.kind === "enum") return buildItems(inner, at);
        return isWrittenOut(shape.name, at)
          ? buildItems(inner, { ...at, owner: shape.name })
          : [buildTypical(shape.name, at.label, at.around)];
      }
      default:
        return [buildSlot({ shape, nullable }, at)];
    }
  }

  function buildFields(fields: readonly Field[], at: Place): JsonObject {
    const wanted = fields.filter(
      ({ name, required }) => required || (at.isFull && name !== "_meta"),
    );
    const entries = wanted.flatMap((field) => {
      const make = (): (readonly [string, Json])[] => [[field.name, buildField(field, at)]];
      return firstBuildable(field.required ? [make] : [make, () => []]);
    });
    return Object.fromEntries(entries);
  }

  function buildField(field: Field, at: Place): Json {
    const { default: assumed } = field;
    if (!at.isFull && assumed !== undefined && conforms(field, assumed, definitionOf))
      return assumed;
    return buildSlot(field, { ...at, label: field.name });
  }

  function buildTagged(shape: TaggedShape, at: Place): Json {
    const { variants, open, fallback, absent } = shape;
    const untagged = [fallback, absent].flatMap((other) => other ?? []);
    return firstBuildable([
      ...variants.map((variant) => () => buildVariant(shape, variant, at)),
      ...untagged.map((other) => () => buildVariant(shape, other, at)),
      ...(open === undefined
        ? []
        : [() => buildVariant(shape, { value: `_${at.label}`, body: open.body }, at)]),
    ]);
  }

  /** @param variant without a value when no tag identifies it */
  function buildVariant(
    { tag, shared }: TaggedShape,
    variant: { readonly value?: string; readonly body: Shape },
    at: Place,
  ): Json {
    const { value, body } = variant;
    const built = buildShape(body, at);
    if (!isObject(built)) throw new SampleError(`a variant of "${at.label}" is not an object`);
    return {
      ...(value !== undefined && { [tag]: value }),
      ...buildFields(shared, at),
      ...built,
    };
  }

  function buildUnion(shape: UnionShape, at: Place): Json {
    const { variants, shared } = shape;
    const notNull = variants.filter(({ slot }) => slot.shape.kind !== "null");
    const isNull = notNull.length < variants.length;
    return firstBuildable([
      ...notNull.map(({ slot }) => () => {
        const built = buildSlot(slot, at);
        const value = isObject(built) ? { ...buildFields(shared, at), ...built } : built;
        if (isRight(shape, value)) return value;
        throw new SampleError(`no variant of "${at.label}" fits alone`);
      }),
      ...(isNull ? [() => null] : []),
    ]);
  }

  return {
    typical: (name) => buildTypical(name, name, []),
    full: (name) => buildReference(name, { isFull: true, owner: name, label: name, around: [] }),
    variant: (name, shape, variant) =>
      // The variant may require the union, whose value is another variant.
      buildVariant(shape, variant, { isFull: false, owner: name, label: name, around: [] }),
  };
}

/** Checks for a boolean: a full sample sets all of them, so that all capabilities are on. */
function isFlag(shape: ScalarShape | EnumShape): boolean {
  return shape.kind === "scalar" && shape.type === "boolean";
}
