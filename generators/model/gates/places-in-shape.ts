import { InputError } from "../../schema/problem.js";
import type { Gate } from "../gate.js";
import type { Field, Shape } from "../shape.js";

/** A gate that requires a capability of one of the two sides. */
export type CapabilityGate = Extract<Gate, { readonly kind: "capability" }> & {
  readonly side: "agent" | "client";
};

/**
 * One step towards a place: the name of a property, every item of a list or value of
 * a map, or only on if the tag has one of these values (`not`: none of them).
 */
export type PlaceStep =
  | string
  | { readonly each: "item" | "value" }
  | { readonly tag: string; readonly values: readonly string[]; readonly not?: true };

/** A gated place below some shape; with a value, it is gated for that value alone. */
export interface Place {
  readonly path: readonly PlaceStep[];
  readonly tag?: string;
  readonly value?: string;
  readonly gate: CapabilityGate;
}

/** The context of a walk over shapes. */
interface Surroundings {
  readonly shapes: ReadonlyMap<string, Shape>;
  /** The places of a definition that is referred to. */
  readonly follow: (definition: string) => readonly Place[];
}

/**
 * The gated places below a shape.
 *
 * @throws InputError for a gate that requires something other than a capability
 */
export function placesOf(shape: Shape, around: Surroundings): readonly Place[] {
  const below = (inner: Shape, ...steps: readonly PlaceStep[]): readonly Place[] =>
    prefixed(steps, placesOf(inner, around));
  const ofFields = (fields: readonly Field[]): readonly Place[] =>
    fields.flatMap((field) => [
      ...gated(field.gate, { path: [field.name] }),
      ...prefixed([field.name], placesOfVariantGates(field, around)),
      ...below(field.shape, field.name),
    ]);
  switch (shape.kind) {
    case "any":
    case "null":
    case "scalar":
      return [];
    case "enum":
      return shape.values.flatMap(({ value, gate }) =>
        gated(gate, { path: [], value: String(value) }),
      );
    case "list":
      return below(shape.items.shape, { each: "item" });
    case "map":
      return below(shape.values.shape, { each: "value" });
    case "object":
      return ofFields(shape.fields);
    case "reference":
      return around.follow(shape.name);
    case "union":
      return [
        ...ofFields(shape.shared),
        ...shape.variants.flatMap(({ slot }) => below(slot.shape)),
      ];
    case "tagged": {
      const { tag, variants, tagField } = shape;
      const listed = variants.map(({ value }) => value);
      const others = [shape.open, shape.fallback, shape.absent].filter((other) => other);
      return [
        ...ofFields([...(tagField ? [tagField] : []), ...shape.shared]),
        ...variants.flatMap(({ value, gate }) => gated(gate, { path: [], tag, value })),
        ...sharedByVariants(
          tag,
          variants.map(({ value, body }) => [value, below(body)]),
        ),
        ...others.flatMap((other) => below(other!.body, { tag, values: listed, not: true })),
      ];
    }
    default:
      return shape satisfies never;
  }
}

/** Gates that stand at a field and hold for variants of the union it refers to. */
function placesOfVariantGates(
  { name, shape, variantGates }: Field,
  { shapes }: Surroundings,
): readonly Place[] {
  const gates = Object.entries(variantGates);
  if (gates.length === 0) return [];
  const path: PlaceStep[] = [];
  const seen = new Set<Shape>();
  let inner: Shape | undefined = shape;
  while (inner !== undefined && inner.kind !== "tagged" && !seen.has(inner)) {
    seen.add(inner);
    if (inner.kind === "list") path.push({ each: "item" });
    if (inner.kind === "map") path.push({ each: "value" });
    inner = within(inner, shapes);
  }
  if (inner?.kind !== "tagged")
    throw new InputError([
      {
        message: `"${name}" has gates for variants, but holds no union with a tag`,
        hint: "Remove x-variant-gates.",
      },
    ]);
  const { tag } = inner;
  return gates.flatMap(([value, gate]) => gated(gate, { path, tag, value }));
}

/** The one shape that a shape holds. */
function within(shape: Shape, shapes: ReadonlyMap<string, Shape>): Shape | undefined {
  if (shape.kind === "reference") return shapes.get(shape.name);
  if (shape.kind === "list") return shape.items.shape;
  return shape.kind === "map" ? shape.values.shape : undefined;
}

/** Places that several variants have are one, behind a step that names them all. */
function sharedByVariants(
  tag: string,
  variants: readonly (readonly [value: string, places: readonly Place[]])[],
): readonly Place[] {
  const found = new Map<string, { readonly place: Place; readonly values: string[] }>();
  for (const [value, places] of variants)
    for (const place of places) {
      const key = JSON.stringify(place);
      const same = found.get(key);
      if (same === undefined) found.set(key, { place, values: [value] });
      else if (!same.values.includes(value)) same.values.push(value);
    }
  return [...found.values()].flatMap(({ place, values }) => prefixed([{ tag, values }], [place]));
}

function prefixed(steps: readonly PlaceStep[], places: readonly Place[]): readonly Place[] {
  return steps.length === 0
    ? places
    : places.map((place) => ({ ...place, path: [...steps, ...place.path] }));
}

function gated(gate: Gate | undefined, place: Omit<Place, "gate">): readonly Place[] {
  if (gate === undefined || gate.kind === "always") return [];
  if (gate.kind === "capability" && gate.side !== "session")
    return [{ ...place, gate: gate as CapabilityGate }];
  throw new InputError([
    {
      message: `a part of a message has the gate "${gate.path.join(".")}", which is not a capability of the agent or the client`,
      hint: "Only methods can have such gates.",
    },
  ]);
}
