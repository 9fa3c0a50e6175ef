type List = readonly unknown[] | null;
type Marker = object | null;
type Counted = { readonly maxCount?: number | null | undefined } | null;

/** The `context` of `nes/suggest`, of any profile. Lists of recent items are ordered from old to new. */
export interface NesContext {
  readonly recentFiles?: List | undefined;
  readonly relatedSnippets?: List | undefined;
  readonly editHistory?: List | undefined;
  readonly userActions?: List | undefined;
  readonly openFiles?: List | undefined;
  readonly diagnostics?: List | undefined;
}

/** The context that the agent advertises in `nes.context` of its capabilities, of any profile. */
export interface NesContextWishes {
  readonly recentFiles?: Counted | undefined;
  readonly relatedSnippets?: Marker | undefined;
  readonly editHistory?: Counted | undefined;
  readonly userActions?: Counted | undefined;
  readonly openFiles?: Marker | undefined;
  readonly diagnostics?: Marker | undefined;
}

/**
 * Reduces a context to what the agent has advertised: the advertised parts, each with at most
 * `maxCount` entries where the agent sets a limit. `_meta` is kept.
 *
 * The last entries of a list are kept, so lists are ordered from old to new. The protocol only
 * mentions "recent" entries; its one example of several user actions (the proposal
 * `next-edit-suggestions`, "Suggestion request") has the newest last.
 *
 * @param context the client's full context; neither it nor its lists are modified
 * @param capabilities `nes.context` of the agent's capabilities; without it, only `_meta` is kept
 * @returns a new context, which shares the entries and the unshortened lists
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
  // The decoder drops an invalid count, so it means no limit here as well.
  const isLimited = typeof count === "number" && Number.isInteger(count) && count >= 0;
  if (!Array.isArray(list) || !isLimited || list.length <= count) return list;
  return list.slice(list.length - count) as unknown;
}
