/** The property that every update has. */
export interface AnyUpdate {
  readonly sessionUpdate: string;
}

/** An update that the profile does not know. */
export interface ExtensionUpdate {
  readonly sessionUpdate: `_${string}`;
}

export interface Metadata {
  readonly [key: string]: unknown;
}

/** A content block of any type, or the content of a tool call. */
export interface Block {
  readonly type: string;
}

/** The update with a tag, in the type of the profile; any object if the profile lacks it. */
export type Variant<Update extends AnyUpdate, Tag extends string> = [
  Extract<Update, { readonly sessionUpdate: Tag }>,
] extends [never]
  ? { readonly sessionUpdate: Tag; readonly [property: string]: unknown }
  : Extract<Update, { readonly sessionUpdate: Tag }>;
