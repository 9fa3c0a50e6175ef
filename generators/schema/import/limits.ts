/** The type that each keyword is about; the others are about all of them. */
export const TYPE_OF: { readonly [keyword: string]: readonly string[] } = {
  properties: ["object"],
  required: ["object"],
  additionalProperties: ["object"],
  patternProperties: ["object"],
  "x-excludes": ["object"],
  items: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  contentEncoding: ["string"],
  minimum: ["integer", "number"],
  maximum: ["integer", "number"],
  exclusiveMinimum: ["integer", "number"],
  exclusiveMaximum: ["integer", "number"],
};

/** The keywords by which a schema limits its values; the others are annotations. */
export const LIMITING_KEYWORDS: ReadonlySet<string> = new Set([
  ...Object.keys(TYPE_OF).filter((keyword) => keyword !== "contentEncoding"),
  ...[
    "prefixItems",
    "additionalItems",
    "$ref",
    "type",
    "const",
    "enum",
    "unevaluatedProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
  ],
]);
