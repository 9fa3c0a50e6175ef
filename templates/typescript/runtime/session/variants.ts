/** The tags of a union of session updates. */
export type UpdateTag<Update> = Update extends { readonly sessionUpdate: infer Tag } ? Tag : never;

/** The fields of the update with a tag, without the tag. */
export type UpdateFields<Update, Tag> = Update extends { readonly sessionUpdate: infer Own }
  ? Tag extends Own
    ? Without<Update, "sessionUpdate">
    : never
  : never;

/** The members of an object type that have other names; unlike `Omit`, keeps unions and index signatures. */
export type Without<T, Names> = T extends unknown
  ? { [Name in keyof T as Name extends Names ? never : Name]: T[Name] }
  : never;
