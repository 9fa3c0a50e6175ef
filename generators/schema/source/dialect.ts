import { createHash } from "node:crypto";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { JsonObject } from "../json-schema/json.js";
import { errorText, shortJson } from "../json-schema/error-text.js";
import type { Memo } from "../memo.js";
import { DERIVED_KEYWORDS } from "../json-schema/keywords.js";
import { didYouMean, jsonPointer, type Problem } from "../problem.js";

/** The kinds of documents that people write; each has a JSON Schema in `schema/dialect/`. */
export const DOCUMENT_KINDS = [
  "keywords",
  "module",
  "feature",
  "protocol",
  "profiles",
  "part-names",
  "docs",
  "config",
  "lint",
  "bridge",
  "behavior",
  "methods",
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Published schemas have no document of their own: it is made from that of the keywords. */
const PUBLISHED = "published";

type Dialect = ReadonlyMap<DocumentKind, JsonObject>;

/** Checks a parsed document and returns its problems. */
export type DialectCheck = (
  kind: DocumentKind | typeof PUBLISHED,
  document: unknown,
  file: string,
) => Problem[];

/**
 * Makes the check of source documents against the dialect.
 *
 * @param documents the dialect's own JSON Schemas, by document kind
 * @param memo which documents have passed before: these are not looked at again
 */
export function createDialectCheck(documents: Dialect, memo?: Memo): DialectCheck {
  if (memo === undefined) return compileDialect(documents);
  const dialect = createHash("sha256")
    .update(JSON.stringify([...documents]))
    .digest("hex");
  let check: DialectCheck | undefined;
  return (kind, document, file) => {
    const key = `dialect ${kind} ${dialect} ${JSON.stringify(document)}`;
    if (memo.get(key) !== undefined) return [];
    check ??= compileDialect(documents);
    const problems = check(kind, document, file);
    if (problems.length === 0) memo.set(key, "");
    return problems;
  };
}

function compileDialect(documents: Dialect): DialectCheck {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: false,
    verbose: true,
    // They come with the tool, and a test looks at them.
    validateSchema: false,
    // Making the code smaller takes longer than running it does.
    code: { optimize: false },
  });
  for (const [kind, document] of documents) ajv.addSchema(document, `${kind}.schema.json`);
  const keywords = documents.get("keywords");
  if (keywords !== undefined)
    ajv.addSchema(publishedDocument(keywords), `${PUBLISHED}.schema.json`);
  return (kind, document, file) => {
    const validate = ajv.getSchema(`${kind}.schema.json`);
    if (validate === undefined) throw new Error(`the dialect has no document for ${kind}`);
    if (validate(document) === true) return [];
    return withOneType(validate.errors ?? [])
      .filter(isSpecific)
      .filter(isNearest)
      .map((error) => toProblem(error, file));
  };
}

/**
 * The schema of documents in upstream's format: the values of the dialect's
 * keywords and of those that it derives. Which keywords there may be is the
 * importer's question, as some can be allowed.
 */
function publishedDocument(keywords: JsonObject): JsonObject {
  const { schema, method } = keywords["$defs"] as { readonly [name: string]: JsonObject };
  const properties = schema!["properties"] as JsonObject;
  const { name, side } = method!["properties"] as { readonly [name: string]: JsonObject };
  const definition = {
    type: "object",
    properties: {
      ...properties,
      format: { type: "string" },
      additionalProperties: { anyOf: [{ type: "boolean" }, { $ref: "#/$defs/schema" }] },
      not: { $ref: "#/$defs/schema" },
      "x-method": name!,
      "x-side": { enum: [...(side!["enum"] as readonly string[]), "both"] },
      "x-docs-ignore": { const: true },
    },
    // Upstream's texts and extra keywords are kept unchanged.
    dependentRequired: { "x-method": ["x-side"], "x-side": ["x-method"] },
  };
  return {
    $defs: { ...(keywords["$defs"] as JsonObject), schema: definition },
    type: "object",
    required: ["$defs"],
    allOf: [{ $ref: "#/$defs/schema" }],
    properties: { $defs: { $ref: "#/$defs/definitions", minProperties: 1 } },
  };
}

/** Merges the types that several branches expect at one place into one error. */
function withOneType(errors: readonly ErrorObject[]): ErrorObject[] {
  const types = new Map<string, Set<string>>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== "type") continue;
    const known = types.get(instancePath) ?? new Set();
    types.set(instancePath, known.add(String(params["type"])));
  }
  return errors.flatMap((error) => {
    if (error.keyword !== "type") return [error];
    const wanted = types.get(error.instancePath);
    types.delete(error.instancePath);
    return wanted === undefined
      ? []
      : [{ ...error, message: `must be ${[...wanted].join(" or ")}` }];
  });
}

/** Summary errors of `anyOf` repeat what their branches say. */
function isSpecific(error: ErrorObject): boolean {
  return error.keyword !== "anyOf" && error.keyword !== "propertyNames";
}

/** A value that has the kind of one alternative is not reported for those of others as well. */
function isNearest(error: ErrorObject, _: number, all: readonly ErrorObject[]): boolean {
  const isKind = ({ keyword }: ErrorObject): boolean => keyword === "type" || keyword === "const";
  const isInside = ({ instancePath }: ErrorObject): boolean =>
    `${instancePath}/`.startsWith(`${error.instancePath}/`);
  return !isKind(error) || !all.some((other) => !isKind(other) && isInside(other));
}

function toProblem(error: ErrorObject, file: string): Problem {
  const place = { file, pointer: error.instancePath };
  switch (error.keyword) {
    case "additionalProperties": {
      const keyword = String(error.params["additionalProperty"]);
      const known = Object.keys((error.parentSchema?.["properties"] ?? {}) as object);
      return {
        file,
        pointer: error.instancePath + jsonPointer([keyword]),
        message: Object.hasOwn(DERIVED_KEYWORDS, keyword)
          ? `"${keyword}" is derived and cannot be declared`
          : `unknown keyword "${keyword}"`,
        hint: didYouMean(keyword, known, `Remove it; the dialect has: ${known.join(", ")}.`),
      };
    }
    case "required":
      return {
        ...place,
        message: `"${String(error.params["missingProperty"])}" is missing`,
        hint: "Add it.",
        missing: String(error.params["missingProperty"]),
      };
    case "enum":
      return {
        ...place,
        message: `${shortJson(error.data)} is not one of the allowed values`,
        hint: `Allowed: ${(error.params["allowedValues"] as unknown[]).join(", ")}.`,
        cause: error.keyword,
      };
    case "const":
      return {
        ...place,
        message: `the value ${errorText(error)}`,
        cause: `must be ${shortJson(error.params["allowedValue"])}`,
      };
    case "pattern": {
      const value = shortJson(error.data);
      const { title, examples = [] } = (error.parentSchema ?? {}) as Described;
      if (title === undefined)
        return {
          ...place,
          message: `${value} does not have the form ${String(error.params["pattern"])}`,
        };
      const hint = examples.length > 0 && { hint: `Examples: ${examples.join(", ")}.` };
      return { ...place, message: `${value} is not ${title}`, ...hint };
    }
    default: {
      const isEmpty = error.keyword.startsWith("min") && error.params["limit"] === 1;
      return {
        ...place,
        message: `${subject(error)} ${isEmpty ? "must not be empty" : errorText(error)}`,
        ...(error.keyword === "type" && { cause: error.message }),
      };
    }
  }
}

/** A schema that says in words which values it describes. */
interface Described {
  readonly title?: string;
  readonly examples?: readonly string[];
}

/** Errors about the names of properties are reported at the object that has them. */
function subject({ propertyName }: ErrorObject): string {
  return propertyName === undefined ? "the value" : `the name ${JSON.stringify(propertyName)}`;
}
