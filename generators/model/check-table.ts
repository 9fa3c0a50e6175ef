import type { Json } from "../schema/json-schema/json.js";
import type { Protocol } from "./protocol.js";
import type { Field, OtherVariant, ScalarShape, Shape, Slot, TaggedShape } from "./shape.js";

/** Flags of a property; the table has their sum. */
export const FIELD_FLAGS = {
  required: 1,
  nullable: 2,
  defaultOnError: 4,
  defaultOnNull: 8,
  skipInvalidItems: 16,
} as const;

type Limit<T> = T | null;

/** A node of the table of checks; `buildCheckTable` describes the kinds. */
export type TableNode =
  | string
  | readonly [kind: "any" | "null" | "never"]
  | readonly [kind: "boolean"]
  | readonly [kind: "boolean", values: readonly boolean[]]
  | readonly [
      kind: "string",
      minLength: Limit<number>,
      maxLength: Limit<number>,
      pattern: Limit<string>,
    ]
  | readonly [kind: "integer" | "number", minimum: Limit<number>, maximum: Limit<number>]
  | readonly [
      kind: "integer" | "number",
      minimum: Limit<number>,
      maximum: Limit<number>,
      exclusiveMinimum: Limit<number>,
      exclusiveMaximum: Limit<number>,
    ]
  | readonly [
      kind: "enum",
      type: "string" | "integer",
      values: readonly (string | number)[],
      isOpen: boolean,
    ]
  | readonly [kind: "list", items: TableNode, minItems: Limit<number>, maxItems: Limit<number>]
  | readonly [kind: "map", values: TableNode]
  | readonly [kind: "object", fields: readonly FieldNode[], isExtensible: boolean]
  | readonly [
      kind: "object",
      fields: readonly FieldNode[],
      isExtensible: boolean,
      isClosed: boolean,
    ]
  | readonly [
      kind: "object",
      fields: readonly FieldNode[],
      isExtensible: boolean,
      isClosed: boolean,
      patterns: readonly (readonly [pattern: string, node: TableNode])[],
      others: TableNode | null,
    ]
  | readonly [
      kind: "tagged",
      tag: string,
      variants: { readonly [value: string]: TableNode },
      others: OtherNodes,
      shared: readonly FieldNode[],
    ]
  | readonly [
      kind: "union",
      isExclusive: boolean,
      alternatives: readonly TableNode[],
      shared: readonly FieldNode[],
    ]
  | readonly [kind: "nullable", node: TableNode];

/** The variants of a tagged union for objects whose tag is not listed. */
type OtherNodes = readonly [
  open: TableNode | null,
  fallback: TableNode | null,
  absent: TableNode | null,
  isLenient: boolean,
];

/** A property; one without a default has three parts. */
export type FieldNode =
  | readonly [name: string, node: TableNode, flags: number]
  | readonly [name: string, node: TableNode, flags: number, fallback: Json];

/**
 * Returns the checks of all definitions as one table, by name: what a runtime in any language
 * interprets to explain and repair values that its fast path does not accept.
 *
 * A node is the name of a definition, or a list that starts with its kind:
 *
 * | node                                              | meaning                                   |
 * | ------------------------------------------------- | ----------------------------------------- |
 * | `["any"]`, `["null"]`                             |                                           |
 * | `["never"]`                                       | no value, for excluded properties         |
 * | `["boolean"]`, `["boolean", values]`              | values: of a constant, its only one       |
 * | `["string", minLength, maxLength, pattern]`       | limits that are not given are null        |
 * | `["integer" or "number", minimum, maximum]`       | then exclusive ones, where there is one   |
 * | `["enum", type, values, isOpen]`                  |                                           |
 * | `["list", items, minItems, maxItems]`             |                                           |
 * | `["map", values]`                                 |                                           |
 * | `["object", fields, isExtensible]`                | then true where others are invalid,       |
 * |                                                   | then nodes of others by pattern, and      |
 * |                                                   | that of the rest                          |
 * | `["tagged", tag, variants, others, shared]`       | others: open, fallback, absent, isLenient |
 * | `["union", isExclusive, alternatives, shared]`    |                                           |
 * | `["nullable", node]`                              | items, values and alternatives only       |
 *
 * A field is `[name, node, flags]` or `[name, node, flags, default]`.
 */
export function buildCheckTable({ definitions }: Protocol): {
  readonly [name: string]: TableNode;
} {
  return Object.fromEntries(
    definitions.map(({ name, shape, envelope }) => [name, nodeOf(shape, envelope)]),
  );
}

/** A property of JSON-RPC that the schema does not declare. */
const JSONRPC: FieldNode = ["jsonrpc", ["any"], 0];

/** @param isEnvelope whether objects have a property that the schema does not declare */
function nodeOf(shape: Shape, isEnvelope = false): TableNode {
  switch (shape.kind) {
    case "any":
    case "null":
      return [shape.kind];
    case "scalar":
      return scalarNode(shape);
    case "enum":
      return ["enum", shape.type, shape.values.map(({ value }) => value), shape.open !== undefined];
    case "list":
      return ["list", slotNode(shape.items), shape.minItems ?? null, shape.maxItems ?? null];
    case "map":
      return ["map", slotNode(shape.values)];
    case "object": {
      const excluded = (shape.excludes ?? []).map((name): FieldNode => [name, ["never"], 0]);
      const own = [...shape.fields.map(fieldNode), ...excluded];
      const fields = isEnvelope ? [...own, JSONRPC] : own;
      const { patterns = [], others } = shape;
      if (patterns.length > 0 || others !== undefined) {
        const like = patterns.map((one) => [one.pattern, slotNode(one.values)] as const);
        const rest = others === undefined ? null : slotNode(others);
        return ["object", fields, true, shape.closed === true, like, rest];
      }
      const isExtensible = shape.extensible === true;
      return shape.closed === true
        ? ["object", fields, isExtensible, true]
        : ["object", fields, isExtensible];
    }
    case "reference":
      return shape.name;
    case "tagged":
      return taggedNode(shape);
    case "union": {
      const alternatives = shape.variants.map(({ slot }) => slotNode(slot, isEnvelope));
      return ["union", shape.exclusive, alternatives, shape.shared.map(fieldNode)];
    }
    default:
      return shape satisfies never;
  }
}

function scalarNode(shape: ScalarShape): TableNode {
  const { type, minimum = null, maximum = null } = shape;
  const { exclusiveMinimum: above = null, exclusiveMaximum: below = null } = shape;
  if (type === "boolean") return shape.constant === undefined ? [type] : [type, [shape.constant]];
  if (type !== "string")
    return above === null && below === null
      ? [type, minimum, maximum]
      : [type, minimum, maximum, above, below];
  return [type, shape.minLength ?? null, shape.maxLength ?? null, shape.pattern ?? null];
}

function slotNode({ shape, nullable }: Slot, isEnvelope = false): TableNode {
  const node = nodeOf(shape, isEnvelope);
  return nullable ? ["nullable", node] : node;
}

function fieldNode(field: Field): FieldNode {
  const { name, shape, required, nullable, decode, default: fallback } = field;
  const flags = Object.entries({ required, nullable, ...decode })
    .filter(([, isSet]) => isSet)
    .reduce((sum, [flag]) => sum + FIELD_FLAGS[flag as keyof typeof FIELD_FLAGS], 0);
  const node = nodeOf(shape);
  return fallback === undefined ? [name, node, flags] : [name, node, flags, fallback];
}

function taggedNode(shape: TaggedShape): TableNode {
  const { tag, tagField, variants, open, fallback, absent, shared } = shape;
  const bodies = variants.map(({ value, body }): [string, TableNode] => [value, nodeOf(body)]);
  const other = (variant: OtherVariant | undefined): TableNode | null =>
    variant === undefined ? null : nodeOf(variant.body);
  const isLenient = absent !== undefined && tagField?.decode.defaultOnError === true;
  return [
    "tagged",
    tag,
    Object.fromEntries(bodies),
    [other(open), other(fallback), other(absent), isLenient],
    shared.map(fieldNode),
  ];
}
