import type { Field, Shape } from "../../../model/shape.js";
import { urlToken } from "../../../output/url.js";
import { findDetail } from "../model/find-detail.js";
import type { Site } from "../model/site.js";

/**
 * The inside of a shape, as far as pages have addresses for it. A name leads
 * to a definition; `[inner]` is a list or map; `f` are properties; `t` is a tag
 * with its variants `v` and the one for all others, `o`; `u` are variants
 * without a tag, each with the name in its id, empty where it has no id, or one name for both.
 */
export type AnchorNode = string | 0 | readonly [AnchorNode] | AnchorParts;

interface AnchorParts {
  readonly f?: { readonly [name: string]: AnchorNode };
  readonly t?: string;
  readonly v?: { readonly [tag: string]: AnchorNode };
  readonly o?: readonly [id: string, node: AnchorNode];
  readonly u?: readonly (string | readonly [id: string, node: AnchorNode])[];
}

/**
 * Every definition with a page at the usual address, so that the validator can
 * lead from a part of a message to the id of its description. A name that needs
 * escapes in an address is left out: its findings lead to the type.
 */
export function anchorIndex({ protocol, typePaths }: Site): {
  readonly [name: string]: AnchorNode;
} {
  return Object.fromEntries(
    protocol.definitions
      .filter(({ name, identifier }) => name === identifier)
      .filter(({ name }) => typePaths.get(name) === `types/${name}.html`)
      .map(({ name, shape }) => [name, nodeOf(shape, true)]),
  );
}

/** @param whole whether it is a definition's own shape, which is always written out */
function nodeOf(shape: Shape, whole: boolean): AnchorNode {
  switch (shape.kind) {
    case "any":
    case "null":
    case "scalar":
    case "enum":
      return 0;
    case "reference":
      return shape.name;
    case "list":
      return [nodeOf(shape.items.shape, whole)];
    case "map":
      return [nodeOf(shape.values.shape, whole)];
    case "object":
      return { f: fieldsNode(shape.fields) };
    case "tagged": {
      const other = shape.open ?? shape.fallback ?? shape.absent;
      const tag = shape.tagField === undefined ? [] : [shape.tagField];
      return {
        f: fieldsNode([...tag, ...shape.shared]),
        t: shape.tag,
        v: Object.fromEntries(
          shape.variants
            .filter(({ value }) => isPlain(value))
            .map(({ value, body }) => [value, nodeOf(body, false)]),
        ),
        ...(other !== undefined &&
          isPlain(other.title) && { o: [other.title, nodeOf(other.body, false)] as const }),
      };
    }
    case "union": {
      // Alternatives that are named in the type's line have no anchor.
      const isWritten = whole || findDetail(shape) !== undefined;
      return {
        ...(shape.shared.length > 0 && { f: fieldsNode(shape.shared) }),
        u: shape.variants.map(({ name, slot }) => {
          const id = isWritten && isPlain(name) ? name : "";
          const node = nodeOf(slot.shape, false);
          return node === id ? id : ([id, node] as const);
        }),
      };
    }
    default:
      return shape satisfies never;
  }
}

function fieldsNode(fields: readonly Field[]): { readonly [name: string]: AnchorNode } {
  return Object.fromEntries(
    fields
      .filter(({ name }) => isPlain(name))
      .map(({ name, shape }) => [name, nodeOf(shape, false)]),
  );
}

function isPlain(name: string): boolean {
  return urlToken(name) === name && name !== "__proto__";
}
