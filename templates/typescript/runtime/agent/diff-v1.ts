/**
 * Returns a changed file as the content of a tool call.
 *
 * @param path absolute
 * @param oldText undefined for a new file
 */
export function diff(
  path: string,
  oldText: string | undefined,
  newText: string,
): {
  readonly type: "diff";
  readonly path: string;
  readonly oldText?: string;
  readonly newText: string;
} {
  return { type: "diff", path, ...(oldText !== undefined && { oldText }), newText };
}
