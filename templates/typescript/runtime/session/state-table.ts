/** How messages change the state of a session, as the schema of a profile says it. */
export interface StateTable {
  /** The changes by an update, by its tag; none for an update that changes nothing. */
  readonly updates: { readonly [tag: string]: readonly StateChange[] };
  /** The parts of other messages that are folded as an update that says the same, by method. */
  readonly messages: { readonly [method: string]: readonly MessageChange[] };
  readonly targets: { readonly [target: string]: StateTarget };
  /** Whether a patch changes `_meta` by top-level key; otherwise it replaces `_meta`. */
  readonly mergesMeta: boolean;
}

/** A change by an update. Paths are lists of names. */
export interface StateChange {
  readonly action: "append" | "upsert" | "replace" | "remove";
  readonly target: string;
  /** The path to the id in the update; absent where there is one target. */
  readonly id?: readonly string[];
  /** The path in the target to what changes; absent for all of it. */
  readonly field?: readonly string[];
  /** The path to the value in the update; absent for the update itself. */
  readonly value?: readonly string[];
}

/** A value in a message, and the update that would report it. */
export interface MessageChange {
  readonly part: "params" | "result";
  readonly from: readonly string[];
  /** The tag of the update; absent if the value itself is the part of the state. */
  readonly tag?: string;
  /** The property of the update that has the value; absent if the value has all properties but the tag. */
  readonly as?: string;
  readonly target: string;
  /** The value is a list, and an absent one is empty. */
  readonly isList?: true;
}

/** A part of the state. */
export interface StateTarget {
  /** The property of the state, a map where updates have ids. */
  readonly part: string;
  /** The property that has the id. */
  readonly id?: string;
  /** The kind of message: messages of all kinds are one list. */
  readonly kind?: string;
  /** Chunks may lack the id. */
  readonly isIdOptional?: true;
  /** The type of the entries in the timeline; absent for what has no place in it. */
  readonly entry?: string;
  /** The list that chunks are appended to. */
  readonly list?: string;
  /** The property with base64 data that chunks are appended to. */
  readonly bytes?: string;
  /** Adjacent blocks of plain text in the list are joined. */
  readonly joins?: true;
  /** The values of properties that are not reported, or `null`. */
  readonly defaults?: { readonly [property: string]: unknown };
  /** The properties that are lists, empty if they are not reported, or `null`. */
  readonly lists?: readonly string[];
  /** The properties that a `null` in an update does not change. */
  readonly keepsNull?: "all" | "_meta";
  /** The part is the last update, with patches applied; otherwise an item with a revision. */
  readonly isUpdate?: true;
  /** The part is the value in the last update that has it. */
  readonly isValue?: true;
}
