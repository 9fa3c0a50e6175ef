/** The numbers of `templates/runtime/shape-table.ts`; a test keeps the two equal. */
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

/** Likewise. */
export const Flag = {
  Required: 1,
  Nullable: 2,
  DefaultOnError: 4,
  DefaultOnNull: 8,
  SkipInvalidItems: 16,
  HasDefault: 32,
} as const;
