import * as z from "zod/v4";

/** What is read of a schema's definition; zod's types do not say it of all schemas at once. */
interface Parts {
  readonly type: string;
  readonly shape?: { readonly [name: string]: z.ZodType };
  readonly options?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
  readonly [part: string]: unknown;
}

/** Parts of a schema that are schemas. */
const CHILDREN = ["innerType", "element", "in", "out", "left", "right", "keyType", "valueType"];

/**
 * Rewrites zod schemas with discriminated unions where the generator of the
 * SDK prints plain ones: a union whose variants are an object each, together
 * with an object that holds nothing but the tag. The verdicts stay the same.
 */
export class ZodRewriter {
  readonly #done = new Map<z.ZodType, z.ZodType>();

  rewrite(schema: z.ZodType): z.ZodType {
    const done = this.#done.get(schema);
    if (done !== undefined) return done;
    const rewritten = this.#rewriteParts(schema);
    this.#done.set(schema, rewritten);
    return rewritten;
  }

  #rewriteParts(schema: z.ZodType): z.ZodType {
    const parts = partsOf(schema);
    const changes: { [part: string]: unknown } = {};
    for (const name of CHILDREN) {
      const child = parts[name];
      if (child instanceof z.ZodType) changes[name] = this.rewrite(child);
    }
    if (parts.shape !== undefined) {
      const entries = Object.entries(parts.shape);
      changes["shape"] = Object.fromEntries(
        entries.map(([name, child]) => [name, this.rewrite(child)]),
      );
    }
    if (parts.options !== undefined) {
      const options = parts.options.map((option) => this.rewrite(option));
      const union = discriminate(options);
      if (union !== undefined) return union;
      changes["options"] = options;
    }
    const isSame = Object.keys(changes).length === 0;
    return isSame ? schema : schema.clone({ ...parts, ...changes } as never);
  }
}

/** The union of variants with a discriminator; undefined where they have none in common. */
function discriminate(options: readonly z.ZodType[]): z.ZodType | undefined {
  const variants = options.map(merge);
  const [first] = variants;
  if (first === undefined || variants.some((variant) => variant === undefined)) return undefined;
  const tag = Object.keys(first.shape).find((name) =>
    variants.every((variant) => isLiteral(variant!.shape[name])),
  );
  return tag === undefined ? undefined : z.discriminatedUnion(tag, variants as never);
}

/** A variant as one object; undefined for what is none. */
function merge(option: z.ZodType): z.ZodObject | undefined {
  if (option instanceof z.ZodObject) return option;
  if (!(option instanceof z.ZodIntersection)) return undefined;
  const { left, right } = option.def;
  if (!(left instanceof z.ZodObject) || !(right instanceof z.ZodObject)) return undefined;
  return left.extend(right.shape);
}

function isLiteral(schema: unknown): boolean {
  return schema instanceof z.ZodLiteral && schema.values.size === 1;
}

function partsOf(schema: z.ZodType): Parts {
  return schema.def as unknown as Parts;
}
