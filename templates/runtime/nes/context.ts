type List = readonly unknown[] | null;
type Marker = object | null;
type Counted = { readonly maxCount?: number | null } | null;

/** The `context` of `nes/suggest`, of any profile. Lists of what happened lately go from old to new. */
export interface NesContext {
  readonly recentFiles?: List;
  readonly relatedSnippets?: List;
  readonly editHistory?: List;
  readonly userActions?: List;
  readonly openFiles?: List;
  readonly diagnostics?: List;
}

/** What the agent advertises in `nes.context` of its capabilities, of any profile. */
export interface NesContextWishes {
  readonly recentFiles?: Counted;
  readonly relatedSnippets?: Marker;
  readonly editHistory?: Counted;
  readonly userActions?: Counted;
  readonly openFiles?: Marker;
  readonly diagnostics?: Marker;
}

/**
 * Cuts a context to what the agent has asked for: the parts that it advertised, each
 * with no more entries than its `maxCount`, if it states one. `_meta` is kept.
 *
 * Of a list that is too long the last entries are kept, so lists go from old to new. The
 * protocol only speaks of "recent" ones; its one example of several user actions (the
 * proposal `next-edit-suggestions`, "Suggestion request") has the newest last.
 *
 * @param context what the client could tell; neither it nor its lists are changed
 * @param capabilities `nes.context` of the agent's capabilities; without it nothing is wanted
 * @returns a new context, which shares the entries, and the lists that were short enough
 */
export function cutContext<Context extends NesContext>(
  context: Context,
  capabilities: NesContextWishes | null | undefined,
): Partial<Context> {
  const wishes = new Map(Object.entries(capabilities ?? {}));
  const kept = Object.entries(context)
    .filter(([key]) => key === "_meta" || wishes.get(key))
    .map(([key, value]) => [key, key === "_meta" ? value : newest(value, wishes.get(key))]);
  return Object.fromEntries(kept) as Partial<Context>;
}

function newest(list: unknown, wish: Counted | undefined): unknown {
  const count = wish?.maxCount;
  // What is no count was none to the decoder either: no limit is stated.
  const isLimited = typeof count === "number" && Number.isInteger(count) && count >= 0;
  if (!Array.isArray(list) || !isLimited || list.length <= count) return list;
  return list.slice(list.length - count) as unknown;
}
