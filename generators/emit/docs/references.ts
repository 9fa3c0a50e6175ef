import type { Definition, Method } from "../../model/protocol.js";
import type { Field, Shape, Slot } from "../../model/shape.js";
import { urlToken } from "../../output/url.js";

/** One step from a definition into its parts: a property or an alternative. */
export interface Step {
  readonly kind: "field" | "variant";
  /** The property's name, the tag's value or the variant's title. */
  readonly name: string;
}

/** A place that refers to a definition. */
export interface Use {
  /** The definition that holds the place. */
  readonly owner: string;
  readonly steps: readonly Step[];
}

/**
 * The id of a part on the page of its definition. The grammar never changes:
 * `field-<property>`, `variant-<tag or title>`, deeper parts after a dot.
 */
export function stepId(steps: readonly Step[]): string {
  return steps.map(({ kind, name }) => `${kind}-${urlToken(name)}`).join(".");
}

/** Every place that refers to a definition, by its name, in reading order, one an id. */
export function findUses(definitions: readonly Definition[]): ReadonlyMap<string, readonly Use[]> {
  const uses = new Map<string, Use[]>();
  for (const { name: owner, shape } of definitions) {
    walkReferences(shape, [], (name, steps) => {
      const list = uses.get(name) ?? [];
      const known = list.some((use) => use.owner === owner && stepId(use.steps) === stepId(steps));
      if (!known) list.push({ owner, steps });
      uses.set(name, list);
    });
  }
  return uses;
}

/** The definitions that a message of a method can hold, at any depth, sorted by name. */
export function usedTypes(
  method: Method,
  definitions: ReadonlyMap<string, Definition>,
): readonly string[] {
  const found = new Set<string>();
  const open = [method.params, ...(method.result === undefined ? [] : [method.result])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = definitions.get(name);
    if (definition === undefined || found.has(name)) continue;
    found.add(name);
    walkReferences(definition.shape, [], (next) => open.push(next));
  }
  return [...found].sort();
}

type Visit = (name: string, steps: readonly Step[]) => void;

function walkReferences(shape: Shape, steps: readonly Step[], visit: Visit): void {
  const slot = ({ shape: inner }: Slot, ...more: readonly Step[]): void =>
    walkReferences(inner, [...steps, ...more], visit);
  const field = (item: Field): void => slot(item, { kind: "field", name: item.name });
  switch (shape.kind) {
    case "any":
    case "null":
    case "scalar":
    case "enum":
      return;
    case "reference":
      return visit(shape.name, steps);
    case "list":
      return slot(shape.items);
    case "map":
      return slot(shape.values);
    case "object":
      return shape.fields.forEach(field);
    case "tagged": {
      if (shape.tagField) field(shape.tagField);
      shape.shared.forEach(field);
      for (const { value, body } of shape.variants) {
        walkReferences(body, [...steps, { kind: "variant", name: value }], visit);
      }
      for (const other of [shape.open, shape.absent, shape.fallback]) {
        if (other === undefined) continue;
        walkReferences(other.body, [...steps, { kind: "variant", name: other.title }], visit);
      }
      return;
    }
    case "union":
      shape.shared.forEach(field);
      return shape.variants.forEach((variant) =>
        slot(variant.slot, { kind: "variant", name: variant.name }),
      );
    default:
      return shape satisfies never;
  }
}
