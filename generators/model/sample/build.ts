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
import { fits, type DefinitionOf } from "./conforms.js";
import { valuesFor } from "./scalars.js";
import { firstOf, Unmakeable } from "./sample-error.js";
import { LONGEST } from "./pattern.js";
import type { Seen } from "./example-values.js";

/** Makes the parts of one sample. Its functions throw Unmakeable. */
export interface Maker {
  readonly typical: (definition: string) => Json;
  readonly full: (definition: string) => Json;
  readonly variant: (definition: string, shape: TaggedShape, variant: TaggedVariant) => Json;
}

/** Where a value is made. */
interface Place {
  /** Whether it gets everything that it may have, or only what it must have. */
  readonly isFull: boolean;
  /** The definition that it stands in. */
  readonly owner: string;
  /** What it is called there: the name of a property or of the definition. */
  readonly label: string;
  /** The definitions that are being made around it with nothing but what is required. */
  readonly around: readonly string[];
}

/** A sample with more values in it is of no use. */
const MOST_VALUES = 10_000;

/** @param seen the values that examples show; they are preferred */
export function createMaker(definitionOf: DefinitionOf, seen: Seen): Maker {
  const writtenOut = new Set<string>();
  let count = 0;

  const isRight = (shape: Shape, value: Json): boolean =>
    fits({ shape, nullable: false }, value, definitionOf);

  function makeTypical(name: string, label: string, around: readonly string[]): Json {
    const shape = { kind: "reference", name } as const;
    const shown = seen.ofDefinition(name).find((value) => isRight(shape, value));
    if (shown !== undefined) return shown;
    if (around.includes(name)) throw new Unmakeable(`"${name}" contains itself without end`);
    const place = { isFull: false, owner: name, label, around: [...around, name] };
    return make(definitionOf(name).shape, place);
  }

  function makeReference(name: string, at: Place): Json {
    const shown = isLeaf(name) ? seen.ofField(at.owner, at.label) : [];
    const value = shown.find((candidate) => isRight({ kind: "reference", name }, candidate));
    if (value !== undefined) return value;
    if (!isWrittenOut(name, at)) return makeTypical(name, at.label, at.around);
    return make(definitionOf(name).shape, { ...at, owner: name });
  }

  /** Whether a definition is to be written out in full here, which happens once. */
  function isWrittenOut(name: string, at: Place): boolean {
    if (!at.isFull || isLeaf(name) || writtenOut.has(name)) return false;
    writtenOut.add(name);
    return true;
  }

  function isLeaf(name: string): boolean {
    return ["any", "enum", "scalar"].includes(definitionOf(name).shape.kind);
  }

  function make(shape: Shape, at: Place): Json {
    if (++count > MOST_VALUES) throw new Unmakeable("it would be huge");
    switch (shape.kind) {
      case "any":
        return {};
      case "null":
        return null;
      case "scalar":
      case "enum":
        return makeLeaf(shape, at);
      case "list":
        return makeList(shape, at);
      case "map":
        return at.isFull ? { key: makeSlot(shape.values, at) } : {};
      case "object":
        return makeFields(shape.fields, at);
      case "reference":
        return makeReference(shape.name, at);
      case "tagged":
        return makeTagged(shape, at);
      case "union":
        return makeUnion(shape, at);
      default:
        return shape satisfies never;
    }
  }

  function makeSlot(slot: Slot, at: Place): Json {
    return slot.nullable ? firstOf([() => make(slot.shape, at), () => null]) : make(slot.shape, at);
  }

  function makeLeaf(shape: ScalarShape | EnumShape, at: Place): Json {
    const shown = at.isFull && isFlag(shape) ? [] : seen.ofField(at.owner, at.label);
    const candidates = [...shown, ...valuesFor(shape, at.label)];
    const value = candidates.find((candidate) => isRight(shape, candidate));
    if (value !== undefined) return value;
    throw new Unmakeable(`nothing simple fits the restrictions of "${at.label}"`);
  }

  function makeList({ items, minItems = 0, maxItems = Infinity }: ListShape, at: Place): Json {
    if (minItems > LONGEST) throw new Unmakeable(`"${at.label}" wants ${minItems} items`);
    if (!at.isFull && minItems === 0) return [];
    const made = at.isFull
      ? firstOf([() => makeEach(items, at), ...(minItems === 0 ? [() => []] : [])])
      : [makeSlot(items, at)];
    const repeated = Array.from(
      { length: Math.max(minItems, made.length) },
      (_, index) => made[index % made.length]!,
    );
    return repeated.slice(0, maxItems);
  }

  /** An item of every kind that a list may have. */
  function makeEach({ shape, nullable }: Slot, at: Place): readonly Json[] {
    switch (shape.kind) {
      case "enum":
        return shape.values.length > 0 ? shape.values.map(({ value }) => value) : [make(shape, at)];
      case "tagged": {
        const others = [shape.fallback, shape.absent].flatMap((other) => other ?? []);
        const kinds = [...shape.variants, ...others];
        return kinds.length > 0
          ? kinds.map((variant) => makeVariant(shape, variant, at))
          : [make(shape, at)];
      }
      case "reference": {
        const inner = { shape: definitionOf(shape.name).shape, nullable };
        if (inner.shape.kind === "enum") return makeEach(inner, at);
        return isWrittenOut(shape.name, at)
          ? makeEach(inner, { ...at, owner: shape.name })
          : [makeTypical(shape.name, at.label, at.around)];
      }
      default:
        return [makeSlot({ shape, nullable }, at)];
    }
  }

  function makeFields(fields: readonly Field[], at: Place): JsonObject {
    const wanted = fields.filter(
      ({ name, required }) => required || (at.isFull && name !== "_meta"),
    );
    const entries = wanted.flatMap((field) => {
      const make = (): (readonly [string, Json])[] => [[field.name, makeField(field, at)]];
      return firstOf(field.required ? [make] : [make, () => []]);
    });
    return Object.fromEntries(entries);
  }

  function makeField(field: Field, at: Place): Json {
    const { default: assumed } = field;
    if (!at.isFull && assumed !== undefined && fits(field, assumed, definitionOf)) return assumed;
    return makeSlot(field, { ...at, label: field.name });
  }

  function makeTagged(shape: TaggedShape, at: Place): Json {
    const { variants, open, fallback, absent } = shape;
    const untagged = [fallback, absent].flatMap((other) => other ?? []);
    return firstOf([
      ...variants.map((variant) => () => makeVariant(shape, variant, at)),
      ...untagged.map((other) => () => makeVariant(shape, other, at)),
      ...(open === undefined
        ? []
        : [() => makeVariant(shape, { value: `_${at.label}`, body: open.body }, at)]),
    ]);
  }

  /** @param variant without a value for the tag when it is not told by one */
  function makeVariant(
    { tag, shared }: TaggedShape,
    variant: { readonly value?: string; readonly body: Shape },
    at: Place,
  ): Json {
    const { value, body } = variant;
    const made = make(body, at);
    if (!isObject(made)) throw new Unmakeable(`a variant of "${at.label}" is not an object`);
    return {
      ...(value !== undefined && { [tag]: value }),
      ...makeFields(shared, at),
      ...made,
    };
  }

  function makeUnion(shape: UnionShape, at: Place): Json {
    const { variants, shared } = shape;
    const telling = variants.filter(({ slot }) => slot.shape.kind !== "null");
    const isNull = telling.length < variants.length;
    return firstOf([
      ...telling.map(({ slot }) => () => {
        const made = makeSlot(slot, at);
        const value = isObject(made) ? { ...makeFields(shared, at), ...made } : made;
        if (isRight(shape, value)) return value;
        throw new Unmakeable(`no variant of "${at.label}" fits alone`);
      }),
      ...(isNull ? [() => null] : []),
    ]);
  }

  return {
    typical: (name) => makeTypical(name, name, []),
    full: (name) => makeReference(name, { isFull: true, owner: name, label: name, around: [] }),
    variant: (name, shape, variant) =>
      makeVariant(shape, variant, { isFull: false, owner: name, label: name, around: [name] }),
  };
}

/** In a full sample, everything that can be on is on. */
function isFlag(shape: ScalarShape | EnumShape): boolean {
  return shape.kind === "scalar" && shape.type === "boolean";
}
