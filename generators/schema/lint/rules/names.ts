import type { Path } from "../../json-schema/walk.js";
import { tagOf, variantsOf } from "../../json-schema/variants.js";
import { isObject } from "../../json-schema/json.js";
import { isVendorName } from "../../source/sources.js";
import type { LintRule, Diagnostic } from "../rule.js";
import {
  placeName,
  schemaParts,
  pointerTo,
  type SourceIndex,
  type SourceSchema,
} from "../source-index.js";

/** A name, and where it is given. */
interface Named {
  /**
   * Set for a vendor's name: `marked` for one that the protocol tells from its own by a leading
   * `_`, `free` for one that no convention covers.
   */
  readonly vendor?: "marked" | "free";
  readonly name: string;
  readonly file: string;
  readonly pointer: string;
  readonly subject: string;
}

/** The convention for one kind of name. */
interface Style extends Pick<LintRule, "id" | "finds" | "why"> {
  /** The kind of item that has the name. */
  readonly what: string;
  readonly form: RegExp;
  /** The form in words. */
  readonly style: string;
  readonly find: (index: SourceIndex) => Iterable<Named>;
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

const STYLES: readonly Style[] = [
  {
    id: "definition-name",
    finds: "names of definitions that are not PascalCase",
    why: "They become the names of types in every language.",
    what: "definition",
    form: /^([A-Z][a-z0-9]+)+$/,
    style: "PascalCase, an acronym being a word: McpServer",
    find: definitionNames,
  },
  {
    id: "property-name",
    finds: "names of properties that are not camelCase",
    why: "Converters to other spellings must be exact both ways.",
    what: "property",
    form: /^(_meta|[a-z][a-z0-9]*([A-Z][a-z0-9]*)*)$/,
    style: "camelCase",
    find: propertyNames,
  },
  {
    id: "value-name",
    finds: "tags and values of enumerations that are not snake_case",
    why: "A leading underscore is left to vendors, and one spelling is easier to guess.",
    what: "value",
    form: SNAKE_CASE,
    style: "snake_case",
    find: valueNames,
  },
  {
    id: "method-name",
    finds: "methods that are not called area/verb_noun",
    why: "The area groups the handlers of a domain.",
    what: "method",
    form: /^(\$|[a-z][a-z0-9]*(_[a-z0-9]+)*)\/[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
    style: "area/verb_noun in snake_case",
    find: methodNames,
  },
  {
    id: "feature-name",
    finds: "names of features that are not snake_case",
    why: "They are typed on command lines and stand in configurations.",
    what: "feature",
    form: SNAKE_CASE,
    style: "snake_case",
    find: featureNames,
  },
];

/** One rule per kind of name. */
export const NAME_RULES: readonly LintRule[] = STYLES.map(
  ({ id, finds, why, what, form, style, find }) => ({
    id,
    severity: "error",
    finds,
    why,
    *check(index): Generator<Diagnostic> {
      for (const { name, vendor, ...place } of find(index)) {
        if (vendor === "marked" && !isVendorName(name))
          yield {
            ...place,
            message: `the ${what} "${name}" of a vendor does not start with "_", as the protocol requires`,
            hint: `Name it "_${name}".`,
          };
        if (vendor === undefined && !form.test(name))
          yield {
            ...place,
            message: `the ${what} "${name}" is not written in ${style}`,
            hint: isVendorName(name)
              ? 'Rename it before it is published. If it is a vendor\'s, give its feature the status "vendor".'
              : "Rename it before it is published.",
          };
      }
    },
  }),
);

function isVendors({ feature }: Pick<SourceSchema, "feature">): boolean {
  return feature?.status === "vendor";
}

/** Returns whether a path leads to the value, or to the tag, of a variant that is added to a union. */
function extendsUnion({ isAddition, schema }: SourceSchema, path: Path): boolean {
  const [keyword, index, ...inside] = path;
  if (!isAddition || (keyword !== "oneOf" && keyword !== "anyOf")) return false;
  const [, tag] = inside;
  return inside.length === 0 || tagOf(variantsOf(schema)[Number(index)]!)?.name === tag;
}

function* definitionNames({ schemas }: SourceIndex): Generator<Named> {
  for (const { file, name, path, isAddition } of schemas)
    if (!isAddition) yield { name, file, pointer: pointerTo({ path }), subject: name };
}

function* propertyNames(index: SourceIndex): Generator<Named> {
  for (const { of, schema, path } of schemaParts(index))
    for (const name of Object.keys(schema.properties ?? {})) {
      const at = [...path, "properties", name];
      yield {
        name,
        file: of.file,
        pointer: pointerTo(of, at),
        subject: placeName(of, at),
        ...(isVendors(of) && { vendor: "free" }),
      };
    }
}

function* valueNames(index: SourceIndex): Generator<Named> {
  for (const { of, schema, path } of schemaParts(index)) {
    const vendor = extendsUnion(of, path) ? "marked" : "free";
    const value = (name: unknown, path: Path, subject: string): Named[] =>
      typeof name === "string"
        ? [
            {
              name,
              file: of.file,
              pointer: pointerTo(of, path),
              subject,
              ...(isVendors(of) && { vendor }),
            },
          ]
        : [];
    const place = placeName(of, path);
    yield* value(schema.const, [...path, "const"], place);
    for (const [index, one] of (schema.enum ?? []).entries())
      yield* value(one, [...path, "enum", index], `${place}.${isObject(one) ? index : one}`);
  }
}

function* methodNames({ methods }: SourceIndex): Generator<Named> {
  for (const of of methods) {
    const { name } = of.method;
    const pointer = pointerTo(of, ["name"]);
    yield {
      name,
      file: of.file,
      pointer,
      subject: name,
      ...(isVendors(of) && { vendor: "marked" }),
    };
  }
}

function* featureNames({ protocol }: SourceIndex): Generator<Named> {
  for (const { file, name } of protocol.features.values())
    yield { name, file, pointer: "/name", subject: name };
}
