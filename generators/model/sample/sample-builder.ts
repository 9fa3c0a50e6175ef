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
  /** The place of the item's kind among the kinds of a list. */
  readonly kind?: number;
}

/** A sample with more values in it is of no use. */
const MOST_VALUES = 10_000;

/** Makes one sample. Its functions throw SampleError. */
export class SampleBuilder {
  readonly #definitionOf: DefinitionOf;
  readonly #examples: ExampleValues;
  /** The definitions of which the sample has a full value. */
  readonly #writtenOut = new Set<string>();
  #count = 0;

  /** @param examples the values that examples show; they are preferred */
  constructor(definitionOf: DefinitionOf, examples: ExampleValues) {
    this.#definitionOf = definitionOf;
    this.#examples = examples;
  }

  typical(name: string): Json {
    return this.#required(name, name, []);
  }

  full(name: string): Json {
    return this.#reference(name, { isFull: true, owner: name, label: name, around: [] });
  }

  variant(name: string, shape: TaggedShape, variant: TaggedVariant): Json {
    // The variant may require the union, whose value is another variant.
    const place = { isFull: false, owner: name, label: name, around: [] };
    return this.#tagVariant(shape, variant, place);
  }

  #isRight(shape: Shape, value: Json): boolean {
    return conforms({ shape, nullable: false }, value, this.#definitionOf);
  }

  #required(name: string, label: string, around: readonly string[]): Json {
    const shape = { kind: "reference", name } as const;
    const shown = this.#examples.ofDefinition(name).find((value) => this.#isRight(shape, value));
    if (shown !== undefined) return shown;
    if (around.includes(name)) throw new SampleError(`"${name}" contains itself without end`);
    const place = { isFull: false, owner: name, label, around: [...around, name] };
    return this.#shape(this.#definitionOf(name).shape, place);
  }

  #reference(name: string, at: Place): Json {
    const shown = this.#isScalar(name) ? this.#shownFor(at) : [];
    const value = shown.find((candidate) => this.#isRight({ kind: "reference", name }, candidate));
    if (value !== undefined) return value;
    if (!this.#isWrittenOut(name, at)) return this.#required(name, at.label, at.around);
    return this.#shape(this.#definitionOf(name).shape, { ...at, owner: name });
  }

  /** Checks whether to build a definition in full here, which happens once. */
  #isWrittenOut(name: string, at: Place): boolean {
    if (!at.isFull || this.#isScalar(name) || this.#writtenOut.has(name)) return false;
    this.#writtenOut.add(name);
    return true;
  }

  #isScalar(name: string): boolean {
    return ["any", "enum", "scalar"].includes(this.#definitionOf(name).shape.kind);
  }

  #shape(shape: Shape, at: Place): Json {
    if (++this.#count > MOST_VALUES) throw new SampleError("it would be huge");
    switch (shape.kind) {
      case "any":
        return {};
      case "null":
        return null;
      case "scalar":
      case "enum":
        return this.#scalar(shape, at);
      case "list":
        return this.#list(shape, at);
      case "map":
        return at.isFull ? { key: this.#slot(shape.values, at) } : {};
      case "object":
        return this.#fields(shape.fields, at);
      case "reference":
        return this.#reference(shape.name, at);
      case "tagged":
        return this.#tagged(shape, at);
      case "union":
        return this.#union(shape, at);
      default:
        return shape satisfies never;
    }
  }

  /** The values that examples show of a field; items of different kinds begin with different ones. */
  #shownFor({ owner, label, kind = 0 }: Place): readonly Json[] {
    const shown = this.#examples.ofField(owner, label);
    return [...shown.slice(kind), ...shown.slice(0, kind)];
  }

  #slot(slot: Slot, at: Place): Json {
    return slot.nullable
      ? firstBuildable([() => this.#shape(slot.shape, at), () => null])
      : this.#shape(slot.shape, at);
  }

  #scalar(shape: ScalarShape | EnumShape, at: Place): Json {
    const shown = at.isFull && isFlag(shape) ? [] : this.#shownFor(at);
    const candidates = [...shown, ...valuesFor(shape, at.label)];
    const value = candidates.find((candidate) => this.#isRight(shape, candidate));
    if (value !== undefined) return value;
    throw new SampleError(`no simple value conforms to the restrictions of "${at.label}"`);
  }

  #list({ items, minItems = 0, maxItems = Infinity }: ListShape, at: Place): Json {
    if (minItems > LONGEST) throw new SampleError(`"${at.label}" wants ${minItems} items`);
    if (!at.isFull && minItems === 0) return [];
    const built = at.isFull
      ? firstBuildable([() => this.#items(items, at), ...(minItems === 0 ? [() => []] : [])])
      : [this.#slot(items, at)];
    const repeated = Array.from(
      { length: Math.max(minItems, built.length) },
      (_, index) => built[index % built.length]!,
    );
    return repeated.slice(0, maxItems);
  }

  /** An item of every kind that a list may have. */
  #items({ shape, nullable }: Slot, at: Place): readonly Json[] {
    switch (shape.kind) {
      case "enum":
        return shape.values.length > 0
          ? shape.values.map(({ value }) => value)
          : [this.#shape(shape, at)];
      case "tagged": {
        const others = [shape.fallback, shape.absent].flatMap((other) => other ?? []);
        const kinds = [...shape.variants, ...others];
        return kinds.length > 0
          ? kinds.map((variant, kind) => this.#tagVariant(shape, variant, { ...at, kind }))
          : [this.#shape(shape, at)];
      }
      case "reference": {
        const inner = { shape: this.#definitionOf(shape.name).shape, nullable };
        if (inner.shape.kind === "enum") return this.#items(inner, at);
        return this.#isWrittenOut(shape.name, at)
          ? this.#items(inner, { ...at, owner: shape.name })
          : [this.#required(shape.name, at.label, at.around)];
      }
      default:
        return [this.#slot({ shape, nullable }, at)];
    }
  }

  #fields(fields: readonly Field[], at: Place): JsonObject {
    const wanted = fields.filter(
      ({ name, required }) => required || (at.isFull && name !== "_meta"),
    );
    const entries = wanted.flatMap((field) => {
      const make = (): (readonly [string, Json])[] => [[field.name, this.#field(field, at)]];
      return firstBuildable(field.required ? [make] : [make, () => []]);
    });
    return Object.fromEntries(entries);
  }

  #field(field: Field, at: Place): Json {
    const { default: assumed } = field;
    if (!at.isFull && assumed !== undefined && conforms(field, assumed, this.#definitionOf))
      return assumed;
    return this.#slot(field, { ...at, label: field.name });
  }

  #tagged(shape: TaggedShape, at: Place): Json {
    const { variants, open, fallback, absent } = shape;
    const untagged = [fallback, absent].flatMap((other) => other ?? []);
    return firstBuildable([
      ...variants.map((variant) => () => this.#tagVariant(shape, variant, at)),
      ...untagged.map((other) => () => this.#tagVariant(shape, other, at)),
      ...(open === undefined
        ? []
        : [() => this.#tagVariant(shape, { value: `_${at.label}`, body: open.body }, at)]),
    ]);
  }

  /** @param variant without a value when no tag identifies it */
  #tagVariant(
    { tag, shared }: TaggedShape,
    variant: { readonly value?: string; readonly body: Shape },
    at: Place,
  ): Json {
    const { value, body } = variant;
    const built = this.#shape(body, at);
    if (!isObject(built)) throw new SampleError(`a variant of "${at.label}" is not an object`);
    return {
      ...(value !== undefined && { [tag]: value }),
      ...this.#fields(shared, at),
      ...built,
    };
  }

  #union(shape: UnionShape, at: Place): Json {
    const { variants, shared } = shape;
    const notNull = variants.filter(({ slot }) => slot.shape.kind !== "null");
    const isNull = notNull.length < variants.length;
    return firstBuildable([
      ...notNull.map(({ slot }) => () => {
        const built = this.#slot(slot, at);
        const value = isObject(built) ? { ...this.#fields(shared, at), ...built } : built;
        if (this.#isRight(shape, value)) return value;
        throw new SampleError(`no variant of "${at.label}" fits alone`);
      }),
      ...(isNull ? [() => null] : []),
    ]);
  }
}

/** Checks for a boolean: a full sample sets all of them, so that all capabilities are on. */
function isFlag(shape: ScalarShape | EnumShape): boolean {
  return shape.kind === "scalar" && shape.type === "boolean";
}
