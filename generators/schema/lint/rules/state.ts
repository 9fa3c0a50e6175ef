import type { JsonSchema, StateChange } from "../../json-schema/json.js";
import { referencedName } from "../../json-schema/references.js";
import { tagOf } from "../../json-schema/variants.js";
import type { Path } from "../../json-schema/walk.js";
import type { Diagnostic } from "../rule.js";
import {
  placeName,
  schemaParts,
  pointerTo,
  type SourceIndex,
  type SourceSchema,
} from "../source-index.js";
import { ANY_FEATURE, createLookup } from "./capabilities.js";

type SchemaOf = (name: string) => JsonSchema | undefined;

/** Finds updates of sessions without `x-state`, paths that lead nowhere, and targets with ids of two types. */
export function* findStateProblems(index: SourceIndex): Generator<Diagnostic> {
  const schemaOf = createLookup(index, ANY_FEATURE);
  const updates = updateUnions(index, schemaOf);
  const types = new Map<string, string>();
  for (const { of, schema, path } of schemaParts(index)) {
    const state = schema["x-state"];
    const isUpdate = updates.has(of.name) && path.length === 2 && tagOf(schema) !== undefined;
    if (isUpdate && state === undefined && of.feature?.status !== "vendor")
      yield diagnostic(
        of,
        path,
        "does not say what it changes",
        "Add x-state; {} changes nothing.",
      );
    for (const [position, change] of (state?.session ?? []).entries()) {
      const at: Path = [...path, "x-state", "session", position];
      const missing = [change.id, change.value].find(
        (one) => one !== undefined && follow(one, schema, schemaOf) === undefined,
      );
      if (missing !== undefined)
        yield diagnostic(of, at, `has no ${missing}`, "Name a property that the schema has.");
      const type = idType(change, schema, schemaOf);
      const known = types.get(change.target) ?? type;
      if (type !== undefined) types.set(change.target, known!);
      if (type !== known)
        yield diagnostic(
          of,
          at,
          `changes ${change.target} by ${type}, others by ${known}`,
          "Use one type of id.",
        );
    }
  }
}

function diagnostic(of: SourceSchema, path: Path, what: string, hint: string): Diagnostic {
  const subject = placeName(
    of,
    path.slice(0, path.includes("x-state") ? path.indexOf("x-state") : undefined),
  );
  return {
    file: of.file,
    pointer: pointerTo(of, path),
    subject,
    message: `${subject} ${what}`,
    hint,
  };
}

/** Returns the unions in the params of methods that update sessions. */
function updateUnions({ methods }: SourceIndex, schemaOf: SchemaOf): ReadonlySet<string> {
  const params = methods.flatMap(({ method }) =>
    method.traits?.includes("updates-session") ? [schemaOf(method.params)] : [],
  );
  const properties = params.flatMap((schema) => Object.values(schema?.properties ?? {}));
  const names = properties.map((property) => referencedName(property) ?? "");
  return new Set(
    names.filter((name) => (schemaOf(name)?.oneOf ?? schemaOf(name)?.anyOf)?.some(tagOf)),
  );
}

function idType({ id }: StateChange, schema: JsonSchema, schemaOf: SchemaOf): string | undefined {
  const found = id === undefined ? undefined : follow(id, schema, schemaOf);
  const [type] = (found?.anyOf ?? []).flatMap((one) => referencedName(one) ?? []);
  return found && (referencedName(found) ?? type);
}

/** Returns the property at the end of a path, in any variant; undefined if there is none. */
function follow(path: string, schema: JsonSchema, schemaOf: SchemaOf): JsonSchema | undefined {
  return path
    .split(".")
    .reduce<JsonSchema | undefined>((at, name) => at && property(name, at, schemaOf), schema);
}

function property(name: string, schema: JsonSchema, schemaOf: SchemaOf): JsonSchema | undefined {
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  const reference = schemaOf(referencedName(schema) ?? "");
  const inner = [...(reference ? [reference] : []), ...allOf, ...anyOf, ...oneOf];
  return inner.map((one) => property(name, one, schemaOf)).find((one) => one !== undefined);
}
