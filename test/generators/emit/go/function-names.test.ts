import { expect, test } from "vitest";
import { go } from "../../../../generators/emit/go/go.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { SHAPES } from "../../../hostile/shapes.js";
import { emitFile } from "../small-protocol.js";

/** An object whose properties need functions and a pattern of their own. */
const ADDED: JsonSchema = {
  description: "An object.",
  type: "object",
  properties: {
    list: { description: "A list.", type: "array", items: { type: "number", minimum: -1e-7 } },
    word: { description: "A word.", type: "string", pattern: "^[0-9]+$" },
  },
};

test.each(["decoders.go", "encoders.go"])(
  "a new definition changes no other function of %s",
  async (file) => {
    const before = await functionsOf(file, SHAPES);
    const after = await functionsOf(file, { Added: ADDED, ...SHAPES });
    expect(after.length).toBeGreaterThan(before.length);
    expect(before.filter((text) => !after.includes(text))).toEqual([]);
  },
);

/** Returns the text of each function of a file. */
async function functionsOf(
  file: string,
  definitions: { readonly [name: string]: JsonSchema },
): Promise<readonly string[]> {
  return (await emitFile(go, file, { definitions })).split(/^(?=func |var )/m);
}
