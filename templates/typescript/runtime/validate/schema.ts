import type { Check } from "./check.js";
import { decode, validate } from "./decode.js";
import type { Decoded, DecodeOptions, Issue } from "./decode-result.js";
import { encode, InvalidValueError } from "./encode.js";
import type { StandardProperties, StandardResult } from "./standard-schema.js";

/** The property of a schema that holds its check. */
const CHECK = Symbol("check");

/**
 * A definition of the protocol, with everything that can be done with its values. The functions
 * need no `this`, so `values.filter(ContentBlock.is)` works.
 *
 * @template Sent the type of values that may be sent
 * @template Received the type of received values, which may have unknown tags
 */
export interface Schema<Sent, Received = Sent> {
  /** The name of the definition. */
  readonly definition: string;
  /** Returns whether a value is valid, strictly, and narrows its type. */
  readonly is: (value: unknown) => value is Sent;
  /** Validates a value strictly and returns the issues; empty when it is valid. */
  readonly issues: (value: unknown, options?: Pick<DecodeOptions, "maxIssues">) => readonly Issue[];
  /**
   * Decodes a value as `decode` does, and returns it.
   *
   * @throws InvalidValueError when it is invalid
   */
  readonly parse: (value: unknown, options?: DecodeOptions) => Received;
  /**
   * Decodes a value leniently: repairs what the schema marks as repairable and reports each repair
   * in `notes`. The value is never modified; it is returned itself when it needs neither repairs
   * nor defaults. To send it again with what this version does not know, mark it with `asReceived`.
   */
  readonly decode: (value: unknown, options?: DecodeOptions) => Decoded<Received>;
  /**
   * Returns a value unchanged if it may be sent.
   *
   * @throws InvalidValueError when it does not match the definition, has properties that the
   *   profile does not declare, has tags or values that are reserved for the protocol, or contains
   *   values that JSON cannot represent; in objects that a connection has received, or that
   *   `asReceived` has marked, properties, tags and values may be unknown
   */
  readonly encode: (value: Sent) => Sent;
  /** Standard Schema, version 1: lenient as `decode` is. */
  readonly "~standard": SchemaProperties<Sent, Received>;
}

/** The properties of Standard Schema; validation is never asynchronous. */
export interface SchemaProperties<Sent, Received> extends StandardProperties<Sent, Received> {
  readonly vendor: "acp-codegen";
  readonly validate: (value: unknown) => StandardResult<Received>;
}

/** A schema of a union that accepts, or keeps when received, tags that this version does not know. */
export interface UnknownSchema<Sent, Received, Unknown extends Received> extends Schema<
  Sent,
  Received
> {
  /** Returns whether the tag of a value is unknown to this version. */
  readonly isUnknown: (value: Received) => value is Unknown;
}

/** The values of a type whose tag is unknown to this version. */
export type Unknown<Received, Tag extends string> = Extract<
  Received,
  { readonly [name in Tag]: `_${string}` }
>;

/** A schema of any definition. */
export interface AnySchema {
  readonly definition: string;
  readonly "~standard": SchemaProperties<unknown, unknown>;
}

/** The type of the values that may be sent of a schema. */
export type SentBy<S extends AnySchema> = NonNullable<S["~standard"]["types"]>["input"];

/** The type of the received values of a schema. */
export type ReceivedBy<S extends AnySchema> = NonNullable<S["~standard"]["types"]>["output"];

/** Creates the schema of a definition. */
export function schema<Sent, Received = Sent>(
  definition: string,
  check: Check,
): Schema<Sent, Received> {
  const decodeValue = (value: unknown, options?: DecodeOptions): Decoded<Received> =>
    decode(check, value, options);
  const issues: Schema<Sent, Received>["issues"] = (value, options) =>
    validate(check, value, options?.maxIssues);
  const created: Schema<Sent, Received> & { readonly [CHECK]: Check } = {
    [CHECK]: check,
    definition,
    is: (value): value is Sent => validate(check, value, 1).length === 0,
    issues,
    parse: (value, options) => {
      const decoded = decodeValue(value, options);
      if (!decoded.ok) throw new InvalidValueError(definition, decoded.issues);
      return decoded.value;
    },
    decode: decodeValue,
    encode: (value) => encode(definition, check, value),
    "~standard": {
      version: 1,
      vendor: "acp-codegen",
      validate: (value) => {
        const decoded = decodeValue(value);
        if (decoded.ok) return { value: decoded.value };
        return {
          issues: decoded.issues.map(({ pointer, expected, found }) => ({
            message: `expected ${expected}, found ${found}`,
            path: pointer.split("/").slice(1).map(keyOf),
          })),
        };
      },
    },
  };
  return created;
}

/**
 * Creates the schema of a tagged union that has an arm for unknown tags.
 *
 * @param tag the name of the property that selects the variant
 * @param known the values of the tag that this version knows
 * @param mayLack whether the tag may be absent or null, which is not an unknown tag
 */
export function unknownSchema<Sent, Received, Unknown extends Received>(
  definition: string,
  check: Check,
  tag: string,
  known: readonly string[],
  mayLack?: 1,
): UnknownSchema<Sent, Received, Unknown> {
  return Object.assign(schema<Sent, Received>(definition, check), {
    isUnknown: (value: Received): value is Unknown => {
      const found = (value as { readonly [name: string]: unknown })[tag];
      if (mayLack && (found === undefined || found === null)) return false;
      return !(known as readonly unknown[]).includes(found);
    },
  });
}

/** Returns the check of a schema. */
export function checkOf(schema: AnySchema): Check {
  return (schema as unknown as { readonly [CHECK]: Check })[CHECK];
}

/** Returns the key of a reference token of a JSON pointer (RFC 6901). */
function keyOf(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
