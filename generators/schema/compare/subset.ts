import { canonicalJson, isObject, type Json, type JsonSchema } from "../json-schema/json.js";
import { referencedName } from "../json-schema/references.js";

/** The definitions that the references of a schema lead to. */
export type Definitions = { readonly [name: string]: JsonSchema };

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
    const result = known.get(accepted);
    if (result !== undefined) return result;
    this.#known.set(sent, known.set(accepted, true));
    const outer = branchesOf(accepted, this.#accepted);
    const fits = branchesOf(sent, this.#sent).every((branch) =>
      outer.some((other) => this.#branchFits(branch, other)),
    );
    known.set(accepted, fits);
    return fits;
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
    return Object.entries(sent.properties ?? {}).every(([name, property]) => {
      const other = Object.hasOwn(theirs, name) ? theirs[name] : rest;
      return other === undefined || this.#propertyFits(property, other);
    });
  }

  #propertyFits(sent: JsonSchema, accepted: Part): boolean {
    const lenient = asSchema(accepted);
    if (lenient["x-deserialize-default-on-error"]) return true;
    if (!lenient["x-deserialize-default-on-null"]) return this.accepts(sent, accepted);
    return this.accepts(sent, { anyOf: [lenient, { type: "null" }] });
  }
}

function asSchema(part: Part): JsonSchema {
  return typeof part === "boolean" ? {} : part;
}

/** Returns the ways in which a value can fit; none for `false`. */
function branchesOf(part: Part, definitions: Definitions): readonly Branch[] {
  if (typeof part === "boolean") return part ? [{}] : [];
  const { anyOf, oneOf, allOf, $ref: _, enum: values, type, ...own } = part;
  const name = referencedName(part);
  const conjunction: (readonly Branch[])[] = [[own]];
  if (name !== undefined) conjunction.push(branchesOf(definitions[name] ?? true, definitions));
  if (type !== undefined) conjunction.push([type].flat().map((one) => ({ type: one })));
  if (values !== undefined) conjunction.push(values.map((value) => ({ const: value })));
  const union = anyOf ?? oneOf;
  if (union !== undefined) {
    conjunction.push(union.flatMap((variant) => branchesOf(variant, definitions)));
  }
  conjunction.push(...(allOf ?? []).map((one) => branchesOf(one, definitions)));
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
