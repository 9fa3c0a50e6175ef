/**
 * The purpose of each keyword of the dialect. The dialect documents under
 * `schema/dialect/` say which values a keyword takes; this table says how the
 * compiler treats it. A test keeps the two lists equal.
 *
 * - `text`: for people; never changes a verdict or a type
 * - `structure`: what plain JSON Schema reads
 * - `decode`: what a lenient receiver reads
 * - `marker`: published with the schema for other tools
 * - `source`: only in our modules; consumed by composition, never published
 */
export type KeywordRole = "text" | "structure" | "decode" | "marker" | "source";

export const KEYWORDS: { readonly [keyword: string]: KeywordRole } = {
  $ref: "structure",
  title: "text",
  description: "text",
  "x-descriptions": "source",
  $comment: "text",
  examples: "text",
  deprecated: "text",
  readOnly: "text",
  writeOnly: "text",
  type: "structure",
  const: "structure",
  enum: "structure",
  default: "structure",
  format: "structure",
  contentEncoding: "structure",
  pattern: "structure",
  minimum: "structure",
  maximum: "structure",
  exclusiveMinimum: "structure",
  exclusiveMaximum: "structure",
  minLength: "structure",
  maxLength: "structure",
  minItems: "structure",
  maxItems: "structure",
  properties: "structure",
  required: "structure",
  additionalProperties: "structure",
  unevaluatedProperties: "structure",
  "x-excludes": "structure",
  items: "structure",
  allOf: "structure",
  anyOf: "structure",
  oneOf: "structure",
  discriminator: "structure",
  "x-deserialize-default-on-error": "decode",
  "x-deserialize-default-on-null": "decode",
  "x-deserialize-skip-invalid-items": "decode",
  "x-state": "marker",
  "x-scope": "marker",
  "x-meta": "source",
  "x-gate": "source",
  "x-variant-gates": "source",
  "x-after": "source",
};

/** Keywords that composition derives; a module that states one is refused. */
export const DERIVED_KEYWORDS: { readonly [keyword: string]: KeywordRole } = {
  not: "structure",
  propertyNames: "structure",
  patternProperties: "structure",
  "x-side": "marker",
  "x-method": "marker",
  "x-docs-ignore": "marker",
  "x-feature": "source",
};
