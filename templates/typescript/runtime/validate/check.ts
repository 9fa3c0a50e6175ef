/** The checks of a definition: its fast path, and its row of the table of checks. */
export interface Check {
  /**
   * The fast check: returns whether a value is valid, without explaining failures. Absent for a
   * definition that messages rarely have, which only the walk checks.
   */
  readonly is?: (value: any) => boolean;
  /** Returns the row, which the slow path and the outgoing check interpret. */
  readonly node: () => CheckNode;
  /** Inserts the defaults of absent properties; returns the value itself when it inserts none. */
  readonly complete?: (value: any) => unknown;
  /**
   * Whether the slow path reads values that pass the fast check as well: those of a definition
   * that refers to itself, whose fast check would run at every level, and those of a union with
   * numbers, which also passes integers that have lost precision.
   */
  readonly isThorough?: 1;
}

type Limit<T> = T | null | undefined;

/**
 * A node of the table of checks: the check of a definition, or a list that starts with its kind.
 * Operands at the end that are null, false or an empty list may be absent.
 */
export type CheckNode = Check | Form;

/** A node that is not a reference. */
export type Form =
  | readonly [kind: "any" | "null" | "never"]
  | readonly [kind: "boolean", values?: readonly boolean[]]
  | StringNode
  | NumberNode
  | EnumNode
  | ListNode
  | readonly [kind: "map", values: CheckNode]
  | ObjectNode
  | TaggedNode
  | UnionNode
  | readonly [kind: "nullable", node: CheckNode];

/** Lengths are in Unicode code points. */
export type StringNode = readonly [
  kind: "string",
  minLength?: Limit<number>,
  maxLength?: Limit<number>,
  pattern?: Limit<string>,
];

export type NumberNode = readonly [
  kind: "integer" | "number",
  minimum?: Limit<number>,
  maximum?: Limit<number>,
  exclusiveMinimum?: Limit<number>,
  exclusiveMaximum?: Limit<number>,
];

export type EnumNode = readonly [
  kind: "enum",
  type: "string" | "integer",
  values: readonly (string | number)[],
  isOpen?: boolean,
];

export type ListNode = readonly [
  kind: "list",
  items: CheckNode,
  minItems?: Limit<number>,
  maxItems?: Limit<number>,
];

export type ObjectNode = readonly [
  kind: "object",
  fields?: readonly FieldNode[],
  isExtensible?: boolean,
  /** Whether other properties are invalid. */
  isClosed?: boolean,
  /** What other properties accept, by the patterns that their names match. */
  patterns?: readonly (readonly [pattern: string, node: CheckNode])[],
  /** What the rest of them accept. */
  others?: CheckNode | null,
];

export type TaggedNode = readonly [
  kind: "tagged",
  tag: string,
  /** By the value of the tag. */
  variants: { readonly [value: string]: CheckNode },
  others?: OtherVariants,
  /** The properties of every variant. */
  shared?: readonly FieldNode[],
];

/** The variants for objects whose tag is not listed. */
export type OtherVariants = readonly [
  /** For other string tags. */
  open?: CheckNode | null,
  /** For everything else, whatever the tag is. */
  fallback?: CheckNode | null,
  /** For an absent tag, or null. */
  absent?: CheckNode | null,
  /** Whether a malformed tag may be dropped. */
  isLenient?: boolean,
];

export type UnionNode = readonly [
  kind: "union",
  /** Whether a value must not match two alternatives. */
  isExclusive: boolean,
  alternatives: readonly CheckNode[],
  /** The properties of every alternative. */
  shared?: readonly FieldNode[],
];

/** A property; its flags are a sum. */
export type FieldNode = readonly [
  name: string,
  node: CheckNode,
  flags?: number,
  /** A JSON value, for an absent property. */
  fallback?: unknown,
];

/*
 * The flags of a property.
 */
export const REQUIRED = 1;
export const NULLABLE = 2;
export const DEFAULT_ON_ERROR = 4;
export const DEFAULT_ON_NULL = 8;
export const SKIP_INVALID_ITEMS = 16;

const forms = new WeakMap<Check, Form>();

/** Returns the form of a node: that of its definition if it is a reference. */
export function formOf(node: CheckNode): Form {
  while (isReference(node)) {
    const check: Check = node;
    const known = forms.get(check);
    if (known !== undefined) return known;
    node = check.node();
    if (!isReference(node)) forms.set(check, node);
  }
  return node;
}

/** Returns whether a node is the check of a definition. */
export function isReference(node: CheckNode): node is Check {
  return !Array.isArray(node);
}

/** Returns the properties that all values of a node have. */
export function fieldsOf(node: CheckNode): readonly FieldNode[] {
  const form = formOf(node);
  switch (form[0]) {
    case "object":
      return form[1] ?? [];
    case "tagged":
      return form[4] ?? [];
    case "union":
      return form[3] ?? [];
    default:
      return [];
  }
}
