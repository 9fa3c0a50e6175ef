import type { Json, JsonObject } from "../../schema/json-schema/json.js";
import type { Protocol } from "../protocol.js";
import { methodRows, type MethodRow } from "./method-rows.js";

/**
 * Returns the version and the methods of a protocol as JSON, for runtimes that read their table as
 * text. Names of types are those of the schema.
 */
export function methodTable(protocol: Protocol): {
  readonly version: number;
  readonly methods: readonly JsonObject[];
} {
  return { version: protocol.versionNumber, methods: methodRows(protocol).map(rowOf) };
}

function rowOf(full: MethodRow): JsonObject {
  const { method, places, facts, advertised, capabilities, isRequired } = full;
  const { name, side, kind, params, result, gate, traits, cancelledResult, impliedResult } = method;
  const row = {
    name,
    side,
    kind,
    params,
    result,
    gate,
    places: places.length === 0 ? undefined : places,
    facts: facts.length === 0 ? undefined : facts,
    traits,
    cancelledResult,
    impliedResult,
    advertised,
    capabilities: capabilities.length === 0 ? undefined : capabilities,
    isRequired: isRequired || undefined,
  };
  return Object.fromEntries(
    Object.entries(row).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  ) as JsonObject;
}
