import { isRecord } from "../rpc/messages.js";
import { pointerToken } from "../validate/report-text.js";
import type { PlaceStep } from "../methods.js";

/** Paths into a message as a tree, so that common prefixes are read once. Each path ends in a leaf. */
export interface PathTree<Leaf> {
  readonly leaves: Leaf[];
  readonly fields: { readonly name: string; readonly tree: PathTree<Leaf> }[];
  readonly tags: Variants<Leaf>[];
  readonly each: { item?: PathTree<Leaf>; value?: PathTree<Leaf> };
}

/** The subtrees by the value of a tag. */
interface Variants<Leaf> {
  readonly tag: string;
  readonly named: Map<string, PathTree<Leaf>>;
  readonly others: { readonly except: readonly string[]; readonly tree: PathTree<Leaf> }[];
}

/** A result at a path, with the JSON pointer to it. */
export interface Located {
  readonly pointer: string;
}

export function emptyTree<Leaf>(): PathTree<Leaf> {
  return { leaves: [], fields: [], tags: [], each: {} };
}

/** Adds a leaf at the end of a path. */
export function addLeaf<Leaf>(
  tree: PathTree<Leaf>,
  [step, ...rest]: readonly PlaceStep[],
  leaf: Leaf,
): void {
  if (step === undefined) tree.leaves.push(leaf);
  else if (typeof step === "string") {
    let field = tree.fields.find(({ name }) => name === step);
    if (field === undefined) tree.fields.push((field = { name: step, tree: emptyTree<Leaf>() }));
    addLeaf(field.tree, rest, leaf);
  } else if ("each" in step) addLeaf((tree.each[step.each] ??= emptyTree<Leaf>()), rest, leaf);
  else {
    const { tag, values } = step;
    let variants = tree.tags.find((other) => other.tag === tag);
    if (variants === undefined) tree.tags.push((variants = { tag, named: new Map(), others: [] }));
    if (step.not === true) {
      const other = { except: values, tree: emptyTree<Leaf>() };
      addLeaf(other.tree, rest, leaf);
      variants.others.push(other);
      return;
    }
    for (const value of values) {
      const named = variants.named.get(value) ?? emptyTree<Leaf>();
      variants.named.set(value, named);
      addLeaf(named, rest, leaf);
    }
  }
}

/**
 * Visits every leaf whose path exists in a value, until a visit returns a result. What is absent,
 * or null, has no leaves. Nearly all messages have none, so that this function calls no others for them.
 *
 * @param use receives the leaf, the value at its path and the context
 * @returns the result, with a pointer that starts at the whole value
 */
export function visit<Leaf, Context, Result extends Located>(
  tree: PathTree<Leaf>,
  value: unknown,
  use: (leaf: Leaf, value: unknown, context: Context) => Result | undefined,
  context: Context,
): Result | undefined {
  for (const leaf of tree.leaves) {
    const found = use(leaf, value, context);
    if (found !== undefined) return found;
  }
  if (Array.isArray(value)) {
    const items = tree.each.item;
    if (items === undefined) return undefined;
    for (let index = 0; index < value.length; index++) {
      const found = visit(items, value[index], use, context);
      if (found !== undefined) return prefixed(`${index}`, found);
    }
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  for (const { name, tree: inner } of tree.fields) {
    const part = Object.hasOwn(value, name) ? value[name] : undefined;
    if (part === undefined || part === null) continue;
    const found = visit(inner, part, use, context);
    if (found !== undefined) return prefixed(name, found);
  }
  for (const { tag, named, others } of tree.tags) {
    const variant = (Object.hasOwn(value, tag) ? value[tag] : undefined) as string;
    const inner = named.get(variant);
    const found = inner && visit(inner, value, use, context);
    if (found !== undefined) return found;
    for (const { except, tree: other } of others) {
      if (except.includes(variant)) continue;
      const match = visit(other, value, use, context);
      if (match !== undefined) return match;
    }
  }
  if (tree.each.value === undefined) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = visit(tree.each.value, inner, use, context);
    if (found !== undefined) return prefixed(name, found);
  }
  return undefined;
}

/** Prefixes the pointer of a result with the name of the enclosing property or item (RFC 6901). */
function prefixed<Result extends Located>(name: string, found: Result): Result {
  return { ...found, pointer: pointerToken(name) + found.pointer };
}
