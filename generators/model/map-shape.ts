import type { Field, OtherVariant, Shape } from "./shape.js";

/**
 * Replaces the shapes directly inside a shape.
 *
 * @returns the shape itself when none was replaced by another
 */
export function mapShape(shape: Shape, replace: (inner: Shape) => Shape): Shape {
  const inSlot = <T extends { readonly shape: Shape }>(slot: T): T =>
    withParts(slot, { shape: replace(slot.shape) } as unknown as Partial<T>);
  const inBody = <T extends { readonly body: Shape }>(variant: T): T =>
    withParts(variant, { body: replace(variant.body) } as unknown as Partial<T>);
  const inOther = (role: string, other: OtherVariant | undefined): object =>
    other === undefined ? {} : { [role]: inBody(other) };
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
      return withParts(shape, { fields: mapAll(shape.fields, inSlot) });
    case "union":
      return withParts(shape, {
        shared: mapAll(shape.shared, inSlot),
        variants: mapAll(shape.variants, (variant) =>
          withParts(variant, { slot: inSlot(variant.slot) }),
        ),
      });
    case "tagged":
      return withParts(shape, {
        shared: mapAll(shape.shared, inSlot),
        variants: mapAll(shape.variants, inBody),
        ...inOther("open", shape.open),
        ...inOther("fallback", shape.fallback),
        ...inOther("absent", shape.absent),
      });
    default:
      return shape satisfies never;
  }
}

/** The properties that stand in a shape itself, not in shapes inside it. */
export function fieldsOf(shape: Shape): readonly Field[] {
  if (shape.kind === "object") return shape.fields;
  return shape.kind === "union" || shape.kind === "tagged" ? shape.shared : [];
}

/** The names that a shape refers to, at any depth inside it. */
export function referencesOf(shape: Shape): readonly string[] {
  if (shape.kind === "reference") return [shape.name];
  const found: string[] = [];
  mapShape(shape, (inner) => {
    found.push(...referencesOf(inner));
    return inner;
  });
  return found;
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
