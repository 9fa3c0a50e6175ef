import { gatePathText } from "../../schema/json-schema/gate-path.js";
import { InputError } from "../../schema/problem.js";
import type { Gate } from "../gate.js";
import type { Field, Shape } from "../shape.js";

/** A gate that requires a capability of one of the two sides. */
export type CapabilityGate = Extract<Gate, { readonly kind: "capability" }> & {
  readonly side: "agent" | "client";
};

/**
 * One step of a path: the name of a property, every item of a list or value of a map,
 * or the condition that the tag has one of these values (`not`: none of them).
 */
export type PlaceStep =
  | string
  | { readonly each: "item" | "value" }
  | { readonly tag: string; readonly values: readonly string[]; readonly not?: true };

/** A gated path below a shape; with a value, only that value is gated. */
export interface ShapePath {
  readonly path: readonly PlaceStep[];
  readonly tag?: string;
  readonly value?: string;
  readonly gate: CapabilityGate;
}

/** The context of a visit to a shape. */
interface ShapeContext {
  readonly shapes: ReadonlyMap<string, Shape>;
  /** Returns the gated paths of a definition that is referred to. */
  readonly follow: (definition: string) => readonly ShapePath[];
}

/**
 * Returns the gated paths below a shape.
 *
 * @throws InputError for a gate that requires something other than a capability
 */
export function pathsOf(shape: Shape, context: ShapeContext): readonly ShapePath[] {
  const below = (inner: Shape, ...steps: readonly PlaceStep[]): readonly ShapePath[] =>
    prefixed(steps, pathsOf(inner, context));
  const ofFields = (fields: readonly Field[]): readonly ShapePath[] =>
    fields.flatMap((field) => [
      ...gated(field.gate, { path: [field.name] }),
      ...prefixed([field.name], pathsOfVariantGates(field, context)),
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
      return context.follow(shape.name);
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

/** Returns the paths of gates that a field declares for variants of the union it refers to. */
function pathsOfVariantGates(
  { name, shape, variantGates }: Field,
  { shapes }: ShapeContext,
): readonly ShapePath[] {
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
        message: `"${name}" has gates for variants, but does not contain a union with a tag`,
        hint: "Remove x-variant-gates.",
      },
    ]);
  const { tag } = inner;
  return gates.flatMap(([value, gate]) => gated(gate, { path, tag, value }));
}

/** Returns the only shape inside a shape. */
function within(shape: Shape, shapes: ReadonlyMap<string, Shape>): Shape | undefined {
  if (shape.kind === "reference") return shapes.get(shape.name);
  if (shape.kind === "list") return shape.items.shape;
  return shape.kind === "map" ? shape.values.shape : undefined;
}

/** Merges paths that several variants share, below a step that names these variants. */
function sharedByVariants(
  tag: string,
  variants: readonly (readonly [value: string, places: readonly ShapePath[]])[],
): readonly ShapePath[] {
  const found = new Map<string, { readonly path: ShapePath; readonly values: string[] }>();
  for (const [value, paths] of variants)
    for (const path of paths) {
      const key = JSON.stringify(path);
      const same = found.get(key);
      if (same === undefined) found.set(key, { path: path, values: [value] });
      else if (!same.values.includes(value)) same.values.push(value);
    }
  return [...found.values()].flatMap(({ path, values }) => prefixed([{ tag, values }], [path]));
}

function prefixed(steps: readonly PlaceStep[], paths: readonly ShapePath[]): readonly ShapePath[] {
  return steps.length === 0
    ? paths
    : paths.map((path) => ({ ...path, path: [...steps, ...path.path] }));
}

function gated(gate: Gate | undefined, path: Omit<ShapePath, "gate">): readonly ShapePath[] {
  if (gate === undefined || gate.kind === "always") return [];
  if (gate.kind === "capability" && gate.side !== "session")
    return [{ ...path, gate: gate as CapabilityGate }];
  throw new InputError([
    {
      message: `a part of a message has the gate "${gatePathText(gate.path)}", which is not a capability of the agent or the client`,
      hint: "Only methods can have such gates.",
    },
  ]);
}
