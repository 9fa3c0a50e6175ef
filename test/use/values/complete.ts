import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../../../generators/schema/json-schema/json.js";

/** The verdict of plain ajv on a value at any place of a bundle. */
export type Fits = (pointer: string, value: unknown) => boolean;

/** Plain ajv on a bundle; a place is compiled when it is first asked for. */
export function createFits(bundle: JsonSchema): Fits {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(bundle, "bundle");
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const validate = compiled.get(pointer) ?? ajv.getSchema(`bundle#${pointer}`);
    if (validate === undefined) throw new Error(`the bundle has nothing at ${pointer}`);
    compiled.set(pointer, validate);
    return validate(value) === true;
  };
}

/**
 * Inserts the defaults that a valid value leaves out, as a receiver assumes
 * them: everywhere that the schema describes, in unions as the first variant
 * that the value fits says. Written from the schema, without the decoders.
 */
export function createComplete(
  bundle: JsonSchema,
  fits: Fits,
): (definition: string, value: Json) => Json {
  function complete(schema: JsonSchema, pointer: string, value: Json): Json {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.slice("#/$defs/".length);
      return complete(bundle.$defs![name]!, `/$defs/${name}`, value);
    }
    let result = value;
    schema.allOf?.forEach((part, index) => {
      result = complete(part, `${pointer}/allOf/${index}`, result);
    });
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const variants = schema[keyword] ?? [];
      const index = variants.findIndex((_, index) => fits(`${pointer}/${keyword}/${index}`, value));
      if (index >= 0) result = complete(variants[index]!, `${pointer}/${keyword}/${index}`, result);
    }
    const { items, additionalProperties: values } = schema;
    if (Array.isArray(result) && items !== undefined)
      return result.map((item: Json) => complete(items, `${pointer}/items`, item));
    if (!isObject(result)) return result;
    if (typeof values === "object")
      return mapValues(result, (part) => complete(values, `${pointer}/additionalProperties`, part));
    return completeObject(schema, pointer, result);
  }

  function completeObject(schema: JsonSchema, pointer: string, value: JsonObject): JsonObject {
    const described = Object.entries(schema.properties ?? {});
    const added = described
      .filter(([name, property]) => property.default !== undefined && !Object.hasOwn(value, name))
      .map(([name, property]): [string, Json] => [name, property.default!]);
    const properties = new Map(described);
    const kept = mapValues(value, (part, name) => {
      const property = properties.get(name);
      // Names of properties in this protocol need no escaping in a pointer.
      return property === undefined
        ? part
        : complete(property, `${pointer}/properties/${name}`, part);
    });
    return { ...kept, ...Object.fromEntries(added) };
  }

  return (definition, value) => complete(bundle.$defs![definition]!, `/$defs/${definition}`, value);
}

function mapValues(object: JsonObject, map: (part: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, part]) => [name, map(part, name)]));
}
