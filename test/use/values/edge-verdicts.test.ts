import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v1 from "acp-bindings/v1-full/schemas";
import * as v2 from "acp-bindings/v2-full/schemas";
import type { Schema } from "acp-bindings";
import { expect, test } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { EDGE_VERDICTS } from "../../support/edge-verdicts.js";
import { ROOT } from "../../support/paths.js";
import { reference } from "./verdicts.js";

const SCHEMAS = { "v1-full": v1, "v2-full": v2 } as unknown as {
  readonly [profile: string]: { readonly [definition: string]: Schema<unknown> };
};

const oracles = new Map(
  Object.keys(SCHEMAS).map((profile) => {
    const text = readFileSync(join(ROOT, `out/schema/${profile}.schema.json`), "utf8");
    return [profile, reference(JSON.parse(text) as JsonSchema)];
  }),
);

test.each(EDGE_VERDICTS)(
  "$why: $profile $definition",
  ({ profile, definition, value, isValid }) => {
    expect(oracles.get(profile)!(definition, value)).toBe(isValid);
    const schema = SCHEMAS[profile]![definition]!;
    expect(schema.is(value)).toBe(isValid);
    expect(schema.issues(value).length > 0).toBe(!isValid);
  },
);

test("an object with an excluded property is refused at that property", () => {
  expect(v2.ElicitationRequestScope.issues({ requestId: 1, toolCallId: "t" })).toMatchObject([
    { pointer: "/toolCallId", rule: "propertyNames" },
  ]);
  expect(v2.ElicitationRequestScope.decode({ requestId: 1, toolCallId: "t" }).ok).toBe(false);
});
