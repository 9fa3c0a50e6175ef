import { isObject, type Json } from "../../schema/json-schema/json.js";
import type { Definition } from "../protocol.js";
import type {
  EnumShape,
  Field,
  ObjectShape,
  OtherVariant,
  ScalarShape,
  Shape,
  Slot,
  TaggedShape,
  UnionShape,
} from "../shape.js";

/** Finds a definition by its name. */
export type DefinitionOf = (name: string) => Definition;

/** The match of a value: its known properties, and whether others are allowed. */
interface Match {
  readonly known: ReadonlySet<string>;
  readonly isOpen: boolean;
}

const SCALAR: Match = { known: new Set(), isOpen: false };
const OPEN: Match = { known: new Set(), isOpen: true };

/**
 * Whether a value may be sent in a place: it is valid there, has no property
 * that is not declared, and no tag or value that is reserved for the protocol.
 */
export function conforms(slot: Slot, value: Json, definitionOf: DefinitionOf): boolean {
  if (value === null && slot.nullable) return true;
  const match = matchShape(slot.shape, value, definitionOf);
  if (match === undefined) return false;
  return (
    !isObject(value) || match.isOpen || Object.keys(value).every((key) => match.known.has(key))
  );
}

/** Checks that a value is valid in a slot, regardless of additional properties. */
export function isValid(slot: Slot, value: Json, definitionOf: DefinitionOf): boolean {
  if (value === null && slot.nullable) return true;
  return matchShape(slot.shape, value, definitionOf) !== undefined;
}

/**
 * Cached results by value and shape, since alternatives with common parts repeat the check.
 */
const known = new WeakMap<DefinitionOf, WeakMap<object, Map<Shape, Match | undefined>>>();

function matchShape(shape: Shape, value: Json, definitionOf: DefinitionOf): Match | undefined {
  if (typeof value !== "object" || value === null) return matchKind(shape, value, definitionOf);
  const byValue = getOrCreate(known, definitionOf, () => new WeakMap());
  const byShape = getOrCreate(byValue, value, () => new Map());
  return getOrCreate(byShape, shape, () => matchKind(shape, value, definitionOf));
}

/** The value of a key, made when it is first asked for. */
function getOrCreate<K, V>(
  map: { has(key: K): boolean; get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  if (!map.has(key)) map.set(key, make());
  return map.get(key)!;
}

function matchKind(shape: Shape, value: Json, definitionOf: DefinitionOf): Match | undefined {
  switch (shape.kind) {
    case "any":
      return OPEN;
    case "null":
      return value === null ? SCALAR : undefined;
    case "scalar":
      return isScalar(shape, value) ? SCALAR : undefined;
    case "enum":
      return isListed(shape, value) ? SCALAR : undefined;
    case "list": {
      const { items, minItems = 0, maxItems = Infinity } = shape;
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
        return undefined;
      return value.every((item: Json) => conforms(items, item, definitionOf)) ? SCALAR : undefined;
    }
    case "map":
      if (!isObject(value)) return undefined;
      return Object.values(value).every((part) => conforms(shape.values, part, definitionOf))
        ? OPEN
        : undefined;
    case "object":
      return matchObject(shape, value, definitionOf);
    case "reference":
      return matchShape(definitionOf(shape.name).shape, value, definitionOf);
    case "tagged":
      return matchTagged(shape, value, definitionOf);
    case "union":
      return matchUnion(shape, value, definitionOf);
    default:
      return shape satisfies never;
  }
}

function isScalar(shape: ScalarShape, value: Json): boolean {
  const { type, minimum = -Infinity, maximum = Infinity } = shape;
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = shape;
  if (type === "boolean") return typeof value === "boolean" && value === (shape.constant ?? value);
  if (type === "string") return typeof value === "string" && isText(shape, value);
  if (typeof value !== "number" || value < minimum || value > maximum) return false;
  if (value <= above || value >= below) return false;
  return type === "number" || Number.isInteger(value);
}

function isText(
  { minLength = 0, maxLength = Infinity, pattern }: ScalarShape,
  text: string,
): boolean {
  const length = [...text].length;
  if (length < minLength || length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, "u").test(text);
}

function isListed({ values, open, type }: EnumShape, value: Json): boolean {
  if (values.some((listed) => listed.value === value)) return true;
  if (open === undefined) return false;
  return type === "integer" ? Number.isInteger(value) : isCustom(value);
}

/** Unlisted values are reserved for later versions, unless they start with `_`. */
function isCustom(value: Json | undefined): boolean {
  return typeof value === "string" && value.startsWith("_");
}

function matchObject(
  { fields, extensible, closed, excludes = [], patterns = [], others }: Omit<ObjectShape, "kind">,
  value: Json,
  definitionOf: DefinitionOf,
): Match | undefined {
  if (!isObject(value)) return undefined;
  const isRight = (field: Field): boolean =>
    Object.hasOwn(value, field.name)
      ? conforms(field, value[field.name]!, definitionOf)
      : !field.required;
  if (!fields.every(isRight) || excludes.some((name) => Object.hasOwn(value, name)))
    return undefined;
  const known = new Set(fields.map(({ name }) => name));
  if (patterns.length === 0 && others === undefined) return { known, isOpen: extensible === true };
  for (const [name, part] of Object.entries(value)) {
    const like = patterns.filter(({ pattern }) => new RegExp(pattern, "u").test(name));
    const slots = like.length > 0 ? like.map(({ values }) => values) : others ? [others] : [];
    if (known.has(name)) continue;
    if (!slots.every((slot) => conforms(slot, part, definitionOf))) return undefined;
    if (slots.length > 0) known.add(name);
  }
  return { known, isOpen: closed !== true };
}

function matchTagged(
  shape: TaggedShape,
  value: Json,
  definitionOf: DefinitionOf,
): Match | undefined {
  const shared = matchObject({ fields: shape.shared }, value, definitionOf);
  if (shared === undefined || !isObject(value)) return undefined;
  const tag = Object.hasOwn(value, shape.tag) ? value[shape.tag] : undefined;
  const inBody = (body: Shape | undefined): Match | undefined =>
    body && matchShape(body, value, definitionOf);
  const otherwise = (other: OtherVariant | undefined): Match | undefined => inBody(other?.body);
  // A custom variant may have any properties.
  const custom = (): Match | undefined => {
    const body = otherwise(shape.open);
    return body && merge(body, OPEN);
  };
  const listed = shape.variants.find((variant) => variant.value === tag);
  const isNone = tag === undefined || tag === null;
  const match =
    inBody(listed?.body) ??
    (listed === undefined && isCustom(tag) ? custom() : undefined) ??
    (isNone ? otherwise(shape.absent) : undefined) ??
    otherwise(shape.fallback);
  const tagKnown = { known: new Set([shape.tag]), isOpen: false };
  return match && [match, shared, tagKnown].reduce(merge);
}

function matchUnion(shape: UnionShape, value: Json, definitionOf: DefinitionOf): Match | undefined {
  const shared = matchObject({ fields: shape.shared }, value, definitionOf);
  if (shape.shared.length > 0 && shared === undefined) return undefined;
  const matches = shape.variants.flatMap(({ slot }) => {
    if (value === null && slot.nullable) return [SCALAR];
    return matchShape(slot.shape, value, definitionOf) ?? [];
  });
  const [match] = matches;
  if (match === undefined || (shape.exclusive && matches.length > 1)) return undefined;
  return merge(matches.reduce(merge), shared ?? SCALAR);
}

function merge(one: Match, other: Match): Match {
  return {
    known: new Set([...one.known, ...other.known]),
    isOpen: one.isOpen || other.isOpen,
  };
}
