import {
  canonicalJson,
  exclude,
  excludedNames,
  isObject,
  type Json,
  type JsonSchema,
} from "../json-schema/json.js";
import { normalText } from "./diff.js";
import { referencedName, referencedSchema, type Definitions } from "../json-schema/references.js";

/** A schema, or a boolean that accepts every value or none. */
type Part = JsonSchema | boolean;

/** One way in which a value can fit a schema: a schema without union, reference and list of types. */
type Branch = Omit<JsonSchema, "anyOf" | "oneOf" | "allOf" | "$ref" | "enum">;

/** Keywords that limit a value from below and from above. */
const LOWER = ["minimum", "minLength", "minItems"] as const;
const UPPER = ["maximum", "maxLength", "maxItems"] as const;

/**
 * Decides whether a receiver of one schema accepts every value of another, structurally: `true` is
 * certain, `false` means that there may be a value which it refuses. Lenient decoding counts for the
 * receiver, and properties that the sender does not declare count as not sent. References with the
 * same name count as equal, since the definition's own changes are compared at the definition.
 */
export class SubsetCheck {
  readonly #sent: Definitions;
  readonly #accepted: Definitions;
  /** Pairs under comparison or compared; a recursive pair counts as accepted. */
  readonly #known = new Map<Part, Map<Part, boolean>>();

  constructor(sent: Definitions, accepted: Definitions) {
    this.#sent = sent;
    this.#accepted = accepted;
  }

  accepts(sent: Part, accepted: Part): boolean {
    const name = isObject(sent) ? referencedName(sent as JsonSchema) : undefined;
    if (name !== undefined && name === referencedName(asSchema(accepted))) return true;
    const known = this.#known.get(sent) ?? new Map<Part, boolean>();
    const earlier = known.get(accepted);
    if (earlier !== undefined) return earlier;
    this.#known.set(sent, known.set(accepted, true));
    const outer = branchesOf(accepted, this.#accepted);
    const inner = branchesOf(sent, this.#sent);
    const fits = inner.every((branch) => outer.some((other) => this.#branchFits(branch, other)));
    const result = fits && this.#fitsOnce(sent, inner, accepted);
    known.set(accepted, result);
    return result;
  }

  /** Checks that no value fits two variants of a receiver's `oneOf`, which would refuse it. */
  #fitsOnce(sent: Part, inner: readonly Branch[], accepted: Part): boolean {
    const exclusive = exclusiveIn(accepted, this.#accepted);
    if (exclusive === undefined) return true;
    const same = exclusiveIn(sent, this.#sent);
    if (same !== undefined && normalText({ oneOf: same }) === normalText({ oneOf: exclusive }))
      return true;
    const variants = exclusive.map((variant) => branchesOf(variant, this.#accepted));
    const meets = (branch: Branch, others: readonly Branch[]): boolean =>
      others.some((other) => !areDisjoint(branch, this.#sent, other, this.#accepted));
    return inner.every((branch) => variants.filter((one) => meets(branch, one)).length < 2);
  }

  #branchFits(sent: Branch, accepted: Branch): boolean {
    if (accepted.const !== undefined) {
      return (
        sent.const !== undefined && canonicalJson(sent.const) === canonicalJson(accepted.const)
      );
    }
    if (!typeFits(typeOf(sent), typeOf(accepted))) return false;
    if (sent.const !== undefined) return true;
    return (
      LOWER.every((limit) => isWithin(accepted[limit], sent[limit], 1)) &&
      UPPER.every((limit) => isWithin(accepted[limit], sent[limit], -1)) &&
      isBeyond(accepted.exclusiveMinimum, sent.exclusiveMinimum, sent.minimum, 1) &&
      isBeyond(accepted.exclusiveMaximum, sent.exclusiveMaximum, sent.maximum, -1) &&
      (accepted.pattern === undefined || accepted.pattern === sent.pattern) &&
      this.#itemsFit(sent, accepted) &&
      this.#propertiesFit(sent, accepted)
    );
  }

  #itemsFit(sent: Branch, accepted: Branch): boolean {
    if (accepted.items === undefined || accepted["x-deserialize-skip-invalid-items"]) return true;
    return this.accepts(sent.items ?? true, accepted.items);
  }

  #propertiesFit(sent: Branch, accepted: Branch): boolean {
    if (accepted.required?.some((name) => !sent.required?.includes(name))) return false;
    const { properties: theirs = {}, additionalProperties: rest } = accepted;
    const { properties: ours = {} } = sent;
    if (excludedNames(accepted).some((name) => Object.hasOwn(ours, name))) return false;
    const declared = Object.entries(ours).every(([name, property]) => {
      const other = Object.hasOwn(theirs, name) ? theirs[name] : rest;
      return other === undefined || this.#propertyFits(property, other);
    });
    const values = valuesOf(sent);
    if (!declared || values === undefined) return declared;
    // A key of a map with values of one kind can be the name of any property.
    const others = isObject(values)
      ? Object.keys(theirs).filter((name) => !Object.hasOwn(ours, name))
      : [];
    return (
      others.every((name) => this.#propertyFits(values, theirs[name]!)) &&
      (rest === undefined || this.#propertyFits(values, rest))
    );
  }

  #propertyFits(sent: Part, accepted: Part): boolean {
    const lenient = asSchema(accepted);
    if (lenient["x-deserialize-default-on-error"]) return true;
    if (!lenient["x-deserialize-default-on-null"]) return this.accepts(sent, accepted);
    return this.accepts(sent, { anyOf: [lenient, { type: "null" }] });
  }
}

/** Returns what a sender puts into properties that it does not declare; undefined when it has none. */
function valuesOf({
  properties = {},
  additionalProperties: values,
  ...branch
}: Branch): Part | undefined {
  const isAnyObject = typeOf(branch) === "object" && Object.keys(properties).length === 0;
  return values ?? (isAnyObject ? true : undefined);
}

/** Returns the variants of a `oneOf` that a schema is or refers to. */
function exclusiveIn(part: Part, definitions: Definitions): readonly JsonSchema[] | undefined {
  const seen = new Set<JsonSchema>();
  let schema: JsonSchema | undefined = asSchema(part);
  while (schema !== undefined && !seen.has(schema)) {
    if (schema.oneOf !== undefined) return schema.oneOf;
    seen.add(schema);
    const inner: JsonSchema | undefined = schema.$ref === undefined ? schema.allOf?.[0] : schema;
    schema = inner && referencedSchema(inner, definitions);
  }
  return undefined;
}

/** Checks that no value can fit two branches: by type, constant, or a property that one requires. */
function areDisjoint(a: Branch, ours: Definitions, b: Branch, theirs: Definitions): boolean {
  const [one, other] = [typeOf(a), typeOf(b)];
  if (!typeFits(one, other) && !typeFits(other, one)) return true;
  if (a.const !== undefined && b.const !== undefined)
    return canonicalJson(a.const) !== canonicalJson(b.const);
  const required = [...(a.required ?? []), ...(b.required ?? [])];
  const excluded = [...excludedNames(a), ...excludedNames(b)];
  return required.some((name) => {
    if (excluded.includes(name)) return true;
    const [mine, yours] = [a.properties?.[name], b.properties?.[name]];
    if (mine === undefined || yours === undefined) return false;
    const branches = branchesOf(yours, theirs);
    return branchesOf(mine, ours).every((left) =>
      branches.every((right) => isOtherValue(left, right)),
    );
  });
}

/** Compares types and constants only, so that recursive definitions end. */
function isOtherValue(a: Branch, b: Branch): boolean {
  const { required: _, ...one } = a;
  const { required: __, ...other } = b;
  return areDisjoint(one, {}, other, {});
}

function asSchema(part: Part): JsonSchema {
  return typeof part === "boolean" ? {} : part;
}

/**
 * Returns the ways in which a value can fit; none for `false`.
 *
 * @param open the references that are being followed: one that leads back adds no way
 */
function branchesOf(
  part: Part,
  definitions: Definitions,
  open: readonly string[] = [],
): readonly Branch[] {
  if (typeof part === "boolean") return part ? [{}] : [];
  const { anyOf, oneOf, allOf, $ref: _, enum: values, type, ...own } = part;
  const name = referencedName(part);
  if (name !== undefined && open.includes(name)) return [];
  const inside = (other: Part): readonly Branch[] => branchesOf(other, definitions, open);
  const conjunction: (readonly Branch[])[] = [[own]];
  if (name !== undefined) {
    const target = referencedSchema(part, definitions) ?? true;
    conjunction.push(branchesOf(target, definitions, [...open, name]));
  }
  if (type !== undefined) conjunction.push([type].flat().map((one) => ({ type: one })));
  if (values !== undefined) conjunction.push(values.map((value) => ({ const: value })));
  const union = anyOf ?? oneOf;
  if (union !== undefined) conjunction.push(union.flatMap(inside));
  conjunction.push(...(allOf ?? []).map(inside));
  return conjunction.reduce((found, next) =>
    found.flatMap((branch) => next.flatMap((other) => both(branch, other))),
  );
}

/** Returns the branch that both hold for; none when they exclude each other by type or constant. */
function both(a: Branch, b: Branch): readonly Branch[] {
  const [one, other] = [typeOf(a), typeOf(b)];
  if (!typeFits(one, other) && !typeFits(other, one)) return [];
  if (a.const !== undefined && b.const !== undefined) {
    if (canonicalJson(a.const) !== canonicalJson(b.const)) return [];
  }
  const narrower = typeFits(one, other) ? one : other;
  return [
    {
      ...a,
      ...b,
      ...(narrower !== undefined && a.const === undefined && b.const === undefined
        ? { type: narrower }
        : {}),
      properties: { ...a.properties, ...b.properties },
      required: [...(a.required ?? []), ...(b.required ?? [])],
      propertyNames: exclude([...excludedNames(a), ...excludedNames(b)]),
    },
  ];
}

function typeOf({ type, const: value }: Branch): string | undefined {
  if (value === undefined) return type as string | undefined;
  return jsonType(value);
}

function jsonType(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function typeFits(sent: string | undefined, accepted: string | undefined): boolean {
  return (
    accepted === undefined || sent === accepted || (sent === "integer" && accepted === "number")
  );
}

/** Compares limits; the sign is that of the direction in which a limit gets stricter. */
function isWithin(accepted: number | undefined, sent: number | undefined, sign: 1 | -1): boolean {
  return accepted === undefined || (sent !== undefined && sign * sent >= sign * accepted);
}

/** Compares an exclusive limit with those of the sender: its own may be equal, an inclusive one may not. */
function isBeyond(
  accepted: number | undefined,
  exclusive: number | undefined,
  inclusive: number | undefined,
  sign: 1 | -1,
): boolean {
  return (
    isWithin(accepted, exclusive, sign) ||
    (inclusive !== undefined && sign * inclusive > sign * accepted!)
  );
}
