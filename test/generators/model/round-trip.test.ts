import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildProtocol } from "../../../generators/model/build/build.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { compose } from "../../../generators/schema/compose.js";
import { diffSchemas, type Difference } from "../../../generators/schema/compare/diff.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { loadMini } from "../golden/compile-mini.js";
import { ROOT } from "../../support/paths.js";
import { definitionToSchema } from "../../../generators/model/build/to-schema.js";

/**
 * An emitter sees the model only. Whatever of the schema cannot be rebuilt from
 * it, no emitter can know.
 */
describe("the model", () => {
  const mini = loadMini();
  const protocols = [...loadProtocols(), mini];

  it.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
    "of %s keeps everything in the schema",
    (_, protocol) => {
      expect(lost(protocol)).toEqual([]);
    },
  );

  // Every keyword that a shape stands for: without it, the comparison above must notice.
  it.each([
    "format",
    "contentEncoding",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "default",
    "required",
    "const",
    "not",
    "discriminator",
    "unevaluatedProperties",
    "additionalProperties",
    "propertyNames",
    "x-deserialize-default-on-error",
    "x-deserialize-default-on-null",
    "x-deserialize-skip-invalid-items",
    "x-side",
    "x-method",
  ])("is refused when it loses %s", (keyword) => {
    const without = JSON.parse(JSON.stringify(mini.schema), (key, value: unknown) =>
      key === keyword ? undefined : value,
    ) as JsonSchema;
    expect(lost({ ...mini, schema: without })).not.toEqual([]);
  });
});

function loadProtocols(): Protocol[] {
  const { protocols, profiles } = loadSources(join(ROOT, "schema"));
  return [...profiles.values()].map((profile) =>
    buildProtocol(compose(protocols.get(profile.protocol)!, profile.features), profile),
  );
}

/** Statements of the published schema that the model lacks, or the other way round. */
function lost({ definitions, schema }: Protocol): Difference[] {
  const rebuilt = definitions.map((definition) => [
    definition.name,
    definitionToSchema(definition),
  ]);
  // The schema of any message is derived from the methods and is no definition.
  const found = diffSchemas({ $defs: schema.$defs! }, { $defs: Object.fromEntries(rebuilt) });
  // A version need not publish its annotations.
  return found.filter(
    ({ kind, pointer }) => kind !== "added" || !/\/x-s(tate|cope)$/.test(pointer),
  );
}
