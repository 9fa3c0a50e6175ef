/**
 * What a definition looks like, as a compact table that generated code prints
 * and `decode.ts` reads. Positions instead of names keep it small.
 */
export type Node =
  | readonly [op: typeof Op.Any]
  | readonly [op: typeof Op.Null]
  | readonly [op: typeof Op.Boolean]
  | readonly [
      op: typeof Op.String,
      min?: number | undefined,
      max?: number | undefined,
      pattern?: string,
    ]
  | readonly [op: typeof Op.Integer, min?: number | undefined, max?: number]
  | readonly [op: typeof Op.Number, min?: number | undefined, max?: number]
  | readonly [op: typeof Op.Enum, values: readonly (string | number)[], open: 0 | 1]
  | readonly [op: typeof Op.List, items: Slot, min?: number | undefined, max?: number]
  | readonly [op: typeof Op.Map, values: Slot]
  | readonly [op: typeof Op.Object, fields: readonly Field[]]
  | readonly [op: typeof Op.Reference, node: () => Node]
  | readonly [op: typeof Op.Tagged, union: Tagged]
  | readonly [
      op: typeof Op.Union,
      variants: readonly Slot[],
      exclusive: 0 | 1,
      shared: readonly Field[],
    ];

export const Op = {
  Any: 0,
  Null: 1,
  Boolean: 2,
  String: 3,
  Integer: 4,
  Number: 5,
  Enum: 6,
  List: 7,
  Map: 8,
  Object: 9,
  Reference: 10,
  Tagged: 11,
  Union: 12,
} as const;

/** A place: a node, and whether null is allowed there too. */
export type Slot = readonly [node: Node, nullable?: 0 | 1];

/** A property: its name, its node, what is special about it (`Flag`), and its default. */
export type Field = readonly [name: string, node: Node, flags: number, fallback?: unknown];

/** What can be special about a property; the sum of these. */
export const Flag = {
  Required: 1,
  Nullable: 2,
  DefaultOnError: 4,
  DefaultOnNull: 8,
  SkipInvalidItems: 16,
  HasDefault: 32,
} as const;

/** A union told apart by a tag. */
export interface Tagged {
  readonly tag: string;
  /** The rest of each variant, by the tag's value. */
  readonly variants: { readonly [value: string]: Node };
  /** The rest of variants with an unknown tag; absent when those are invalid. */
  readonly open?: Node;
  /** The variant without a listed tag. */
  readonly fallback?: Node;
  /** The variant whose tag is absent or null. */
  readonly absent?: Node;
  /** Whether a malformed tag is dropped. */
  readonly lenientTag?: 1;
  readonly shared: readonly Field[];
}
