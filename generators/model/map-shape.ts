import type { Field, OtherVariant, Shape } from "./shape.js";

/** One step from a shape into its parts: a property or an alternative. */
export interface Step {
  readonly kind: "field" | "variant";
  /** The property's name, the tag's value or the variant's title. */
  readonly name: string;
}

/** A shape directly inside another. */
export interface InnerShape {
  readonly shape: Shape;
  /** The way to it; absent for items of lists and values of maps. */
  readonly step?: Step;
}

/**
 * Replaces the shapes directly inside a shape, in reading order.
 *
 * @returns the shape itself when none was replaced by another
 */
export function mapShape(shape: Shape, replace: (inner: Shape, step?: Step) => Shape): Shape {
  const inSlot = <T extends { readonly shape: Shape }>(slot: T, step?: Step): T =>
    withParts(slot, { shape: replace(slot.shape, step) } as unknown as Partial<T>);
  const inFields = (fields: readonly Field[]): readonly Field[] =>
    mapAll(fields, (field) => inSlot(field, { kind: "field", name: field.name }));
  const inBody = <T extends { readonly body: Shape }>(variant: T, name: string): T => {
    const body = replace(variant.body, { kind: "variant", name });
    return withParts(variant, { body } as unknown as Partial<T>);
  };
  const inOther = (role: string, other: OtherVariant | undefined): object =>
    other === undefined ? {} : { [role]: inBody(other, other.title) };
  switch (shape.kind) {
    case "any":
    case "null":
    case "scalar":
    case "enum":
    case "reference":
      return shape;
    case "list":
      return withParts(shape, { items: inSlot(shape.items) });
    case "map":
      return withParts(shape, { values: inSlot(shape.values) });
    case "object":
      return withParts(shape, {
        fields: inFields(shape.fields),
        ...(shape.patterns && {
          patterns: mapAll(shape.patterns, (one) => withParts(one, { values: inSlot(one.values) })),
        }),
        ...(shape.others && { others: inSlot(shape.others) }),
      });
    case "union":
      return withParts(shape, {
        shared: inFields(shape.shared),
        variants: mapAll(shape.variants, (variant) =>
          withParts(variant, {
            slot: inSlot(variant.slot, { kind: "variant", name: variant.name }),
          }),
        ),
      });
    case "tagged":
      return withParts(shape, {
        shared: inFields(shape.shared),
        variants: mapAll(shape.variants, (variant) => inBody(variant, variant.value)),
        ...inOther("open", shape.open),
        ...inOther("absent", shape.absent),
        ...inOther("fallback", shape.fallback),
      });
    default:
      return shape satisfies never;
  }
}

/** The shapes directly inside a shape, in reading order. */
export function innerShapes(shape: Shape): readonly InnerShape[] {
  const found: InnerShape[] = [];
  mapShape(shape, (inner, step) => {
    found.push({ shape: inner, ...(step && { step }) });
    return inner;
  });
  return found;
}

/** The properties that stand in a shape itself, not in shapes inside it. */
export function ownFields(shape: Shape): readonly Field[] {
  if (shape.kind === "object") return shape.fields;
  return shape.kind === "union" || shape.kind === "tagged" ? shape.shared : [];
}

/** The same list unless an item was replaced by another. */
function mapAll<T>(list: readonly T[], replace: (item: T) => T): readonly T[] {
  const replaced = list.map(replace);
  return replaced.every((item, index) => item === list[index]) ? list : replaced;
}

/** The same object unless one of the parts is another. */
function withParts<T extends object>(whole: T, parts: Partial<T>): T {
  const isSame = Object.entries(parts).every(
    ([name, part]) => (whole as { readonly [name: string]: unknown })[name] === part,
  );
  return isSame ? whole : { ...whole, ...parts };
}
