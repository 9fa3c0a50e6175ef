import type { JsonSchema } from "../json-schema/json.js";
import { referencedName } from "../json-schema/references.js";

/** Finds the method `initialize` among methods of any form. */
export function findInitialize<T extends { readonly name: string; readonly side: string }>(
  methods: readonly T[],
): T | undefined {
  return methods.find(({ name, side }) => name === "initialize" && side === "agent");
}

/**
 * Finds the handshake of ACP among methods: an `initialize` that names the version of the protocol by
 * an integer. Other protocols have an `initialize` of their own.
 *
 * @param schemaOf returns a definition
 */
export function findHandshakeMethod<
  T extends {
    readonly name: string;
    readonly side: string;
    readonly params: string;
    readonly result?: string;
  },
>(methods: readonly T[], schemaOf: (name: string) => JsonSchema | undefined): T | undefined {
  const initialize = findInitialize(methods);
  if (initialize?.result === undefined) return undefined;
  const version = schemaOf(initialize.params)?.properties?.["protocolVersion"];
  return version !== undefined && isInteger(version, schemaOf) ? initialize : undefined;
}

function isInteger(
  schema: JsonSchema,
  schemaOf: (name: string) => JsonSchema | undefined,
  followed: readonly string[] = [],
): boolean {
  if (schema.type === "integer") return true;
  const target = referencedName(schema) ?? referencedName(schema.allOf?.[0] ?? {});
  if (target === undefined || followed.includes(target)) return false;
  return isInteger(schemaOf(target) ?? {}, schemaOf, [...followed, target]);
}
