import { createHash } from "node:crypto";
import type { JsonSchema } from "../../generators/schema/json-schema/json.js";
import { variantName } from "../../generators/schema/json-schema/variants.js";

/** The key words of BCP 14, longest first. */
const KEY_WORDS =
  /\b(?:MUST NOT|MUST|SHALL NOT|SHALL|SHOULD NOT|SHOULD|MAY|REQUIRED|NOT RECOMMENDED|RECOMMENDED|OPTIONAL)\b/g;

/** Collects the descriptions of a schema by place: `Plan.entries`, `ToolKind/read`. Envelopes repeat those of methods. */
export function textsOf({ $defs = {} }: JsonSchema): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const collect = (schema: JsonSchema, place: string): void => {
    if (schema.description !== undefined) texts.set(place, schema.description);
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      collect(property, `${place}.${name}`);
    for (const variants of [schema.anyOf, schema.oneOf])
      variants?.forEach((variant, index) =>
        collect(variant, `${place}/${variantName(variant) || index}`),
      );
    if (schema.items !== undefined) collect(schema.items, `${place}/items`);
    if (typeof schema.additionalProperties === "object")
      collect(schema.additionalProperties, `${place}/additionalProperties`);
  };
  for (const [name, schema] of Object.entries($defs))
    if (!schema["x-docs-ignore"]) collect(schema, name);
  return texts;
}

/** Returns the key words of a text in order. "MUST only … when" and "MUST NOT … unless" are the same. */
export function keyWordsOf(text: string): readonly string[] {
  const plain = text.replaceAll(/\s+/g, " ").replaceAll(/\b(MUST|SHOULD) only\b/g, "$1 NOT");
  return [...plain.matchAll(KEY_WORDS)].map(([word]) => word);
}

/** The number of words of which a copied passage has at least one sequence. */
const WORDS = 7;

/** Returns 8-byte hashes of all sequences of seven words in a text, and of a shorter text as a whole. */
export function shinglesOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_$/]+/gu) ?? [];
  const count = Math.max(1, words.length - WORDS + 1);
  return Array.from({ length: count }, (_, start) => {
    const shingle = words.slice(start, start + WORDS).join(" ");
    return createHash("sha256").update(shingle).digest("hex").slice(0, 16);
  });
}
