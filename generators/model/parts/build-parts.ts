import { mapShape } from "../map-shape.js";
import type { Definition, Protocol } from "../protocol.js";
import type {
  EnumShape,
  Field,
  ObjectShape,
  OtherVariant,
  Shape,
  Slot,
  TaggedShape,
  UnionShape,
} from "../shape.js";
import { createPartNames, type PartNames } from "./name-parts.js";
import type { Alternative, NamedValue, Part, RecordPart, Tag } from "./part.js";

/** The parts of each protocol, which are the same for every language. */
const built = new WeakMap<object, PartBuilder>();

/**
 * Returns the parts of a protocol: each definition under its own name, and every variant and
 * object inside it under its published name, or one that no other part has. A variant whose body is a union becomes
 * several records, which have the properties of all unions around them.
 *
 * @returns the parts by name, in the order of the definitions; a part follows those inside it
 */
export function buildParts(
  protocol: Pick<Protocol, "definitions" | "partNames">,
): ReadonlyMap<string, Part> {
  return builderOf(protocol).parts;
}

/**
 * Returns the names of values, variants and properties that are not those of their own words, since others
 * would have the same name.
 *
 * @returns the names by path: `Op/<=` for a value or variant, `Op#<=` for a property
 */
export function renamedParts(
  protocol: Pick<Protocol, "definitions" | "partNames">,
): ReadonlyMap<string, string> {
  return builderOf(protocol).renamed;
}

function builderOf(protocol: Pick<Protocol, "definitions" | "partNames">): PartBuilder {
  const builder = built.get(protocol) ?? build(protocol);
  built.set(protocol, builder);
  return builder;
}

function build({
  definitions,
  partNames,
}: Pick<Protocol, "definitions" | "partNames">): PartBuilder {
  const builder = new PartBuilder(definitions, partNames);
  for (const { name, shape, description, feature } of definitions)
    builder.place(shape, {
      name,
      path: [name],
      description,
      ...(feature !== undefined && { feature }),
      tags: [],
      fields: [],
    });
  return builder;
}

/** The place of a part, and what it has from the unions around it. */
interface Place extends Pick<RecordPart, "path" | "description" | "feature" | "tags" | "fields"> {
  /** Given for definitions; other parts are named by their path. */
  readonly name?: string;
  /** The object definition that is the body. */
  readonly base?: string;
  /** The last words of its name, where they depend on other variants. */
  readonly words?: readonly string[] | undefined;
}

class PartBuilder {
  readonly parts = new Map<string, Part>();
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #names: PartNames;

  constructor(definitions: readonly Definition[], published: Protocol["partNames"]) {
    this.#definitions = new Map(definitions.map((one) => [one.name, one]));
    this.#names = createPartNames(this.#definitions.keys(), published);
  }

  get renamed(): ReadonlyMap<string, string> {
    return this.#names.renamed;
  }

  /** Adds the part of a shape and returns its name. */
  place(shape: Shape, at: Place): string {
    const isPlain = at.tags.length === 0 && at.fields.length === 0;
    if (shape.kind === "reference" && at.name === undefined) {
      const target = this.#definitions.get(shape.name)!.shape;
      // An empty body inherits no properties of its unions, which it may contain.
      if (isPlain || !(isNamed(target) || target.kind === "reference")) return shape.name;
      return this.place(target, { ...at, base: shape.name });
    }
    const { path, description, feature } = at;
    const name = at.name ?? this.#names.nameOf(path, at.words, at.base);
    const named = { name, path, description, ...(feature !== undefined && { feature }) };
    switch (shape.kind) {
      case "object":
        return this.#add({ kind: "record", ...named, ...this.#recordOf(shape, at) });
      case "tagged":
        return this.#add({ kind: "choice", ...named, ...this.#casesOf(shape, at) });
      case "union":
        return this.#add({
          kind: "union",
          ...named,
          alternatives: this.#alternativesOf(shape, at),
          isExclusive: shape.exclusive,
        });
      default:
        return this.#add({
          kind: "alias",
          ...named,
          shape: this.#hoist(shape, path),
          ...(shape.kind === "enum" && { values: this.#valuesOf(shape, path) }),
        });
    }
  }

  #add(part: Part): string {
    this.parts.set(part.name, part);
    return part.name;
  }

  #recordOf(
    shape: ObjectShape,
    at: Place,
  ): Pick<
    RecordPart,
    "base" | "tags" | "fields" | "isClosed" | "isOpen" | "extra" | "words" | "excludes"
  > {
    const { fields, closed, patterns, others, extensible, excludes = [] } = shape;
    const { tags, path } = at;
    const required = new Set(at.fields.filter((one) => one.required).map(({ name }) => name));
    // A record that has its base's properties cannot require one that is optional there.
    const isStricter = fields.some((one) => !one.required && required.has(one.name));
    const base = isStricter ? undefined : at.base;
    const known = new Set([...tags, ...(base === undefined ? [] : fields)].map(({ name }) => name));
    const own = base === undefined ? this.#hoistFields(fields, path) : [];
    const byName = new Map([...at.fields, ...own].map((field) => [field.name, field]));
    const extra = base === undefined ? extraSlot(shape) : undefined;
    const properties = [...tags, ...at.fields, ...fields].map(({ name }) => name);
    return {
      ...(base !== undefined && { base }),
      tags,
      fields: [...byName.values()]
        .filter(({ name }) => !known.has(name))
        .map((one) => (required.has(one.name) ? { ...one, required: true } : one)),
      ...((closed ?? patterns ?? others) !== undefined && { isClosed: true }),
      ...((extensible ?? patterns ?? others) !== undefined && { isOpen: true }),
      ...(extra && { extra: { ...extra, shape: this.#hoist(extra.shape, [...path, "extra"]) } }),
      words: this.#names.propertyWords(path, properties),
      excludes,
    };
  }

  #casesOf(shape: TaggedShape, at: Place): Omit<Part & { kind: "choice" }, keyof Place | "kind"> {
    const { tag, variants, open, fallback, absent } = shape;
    const fields = [...at.fields, ...this.#hoistFields(shape.shared, at.path)];
    const { name: _, base: __, words: ___, ...around } = at;
    const words = this.#names.wordsBelow(
      at.path,
      new Map(variants.map(({ value }) => [value, value])),
    );
    const cases = variants.map(({ value, body, description, feature }) => ({
      value,
      part: this.place(body, {
        ...around,
        path: [...at.path, value],
        words: words.get(value),
        description,
        ...(feature !== undefined && { feature }),
        tags: [...at.tags, { name: tag, value } satisfies Tag],
        fields,
      }),
    }));
    const other = ({ title, description, body }: OtherVariant, own: readonly Field[]): string =>
      this.place(body, { ...around, path: [...at.path, title], description, fields: own });
    return {
      tag,
      cases,
      isOpen: open !== undefined,
      ...(fallback && { fallback: other(fallback, fields) }),
      ...(absent && { absent: other(absent, [...fields, nullTag(tag)]) }),
    };
  }

  #valuesOf({ values }: EnumShape, path: readonly string[]): readonly NamedValue[] {
    const texts = values.map(
      ({ value, title }) =>
        [`${value}`, typeof value === "number" && title ? title : `${value}`] as const,
    );
    const words = this.#names.wordsBelow(path, new Map(texts));
    return values.map(({ value }) => ({
      value,
      name: this.#names.nameOf([...path, `${value}`], words.get(`${value}`)),
    }));
  }

  #alternativesOf(shape: UnionShape, at: Place): readonly Alternative[] {
    const fields = [...at.fields, ...this.#hoistFields(shape.shared, at.path)];
    const { name: _, base: __, words: ___, ...around } = at;
    const words = this.#names.wordsBelow(
      at.path,
      new Map(shape.variants.map(({ name }) => [name, name])),
    );
    return shape.variants.map(({ name, description, slot, feature }) => {
      const place = {
        ...around,
        path: [...at.path, name],
        words: words.get(name),
        description,
        ...(feature !== undefined && { feature }),
        fields,
      };
      const isObject = fields.length > 0 || at.tags.length > 0 || isNamed(slot.shape);
      const inner: Shape = isObject
        ? { kind: "reference", name: this.place(slot.shape, place) }
        : this.#hoist(slot.shape, place.path);
      const ownName =
        inner.kind === "reference" ? inner.name : this.#names.nameOf(place.path, place.words);
      return { name: ownName, title: name, shape: inner, nullable: slot.nullable };
    });
  }

  #hoistFields(fields: readonly Field[], path: readonly string[]): readonly Field[] {
    return fields.map((field) => ({
      ...field,
      shape: this.#hoist(field.shape, [...path, field.name]),
    }));
  }

  /** Replaces objects and unions inside a shape by references to parts of their own. */
  #hoist(shape: Shape, path: readonly string[]): Shape {
    if (isNamed(shape))
      return {
        kind: "reference",
        name: this.place(shape, { path, description: "", tags: [], fields: [] }),
      };
    return mapShape(shape, (inner) => this.#hoist(inner, path));
  }
}

function isNamed({ kind }: Shape): boolean {
  return kind === "object" || kind === "tagged" || kind === "union";
}

/** Returns what all other properties of an object are, if that is one type; receivers keep those of other names. */
function extraSlot({ patterns = [], others }: ObjectShape): Slot | undefined {
  return patterns.length > 0 || others?.shape.kind === "any" ? undefined : others;
}

/** The property of a tag that is absent or null. */
function nullTag(name: string): Field {
  return {
    name,
    shape: { kind: "null" },
    nullable: true,
    description: "",
    required: false,
    decode: { defaultOnError: false, defaultOnNull: false, skipInvalidItems: false },
    variantGates: {},
  };
}
