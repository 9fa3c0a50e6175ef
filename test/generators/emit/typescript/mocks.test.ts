import { describe, expect, it } from "vitest";
import { mocks } from "../../../../generators/emit/typescript/mocks/mocks.js";
import { InputError } from "../../../../generators/schema/problem.js";
import { emitFile, type SmallMethod, type SmallSource } from "../small-protocol.js";

const METHOD: SmallMethod = { name: "note/save", params: "Note" };
const NOTE = { type: "object", properties: { text: { type: "string" } } } as const;
const UPDATE: SmallMethod = {
  name: "session/update",
  side: "client",
  params: "Update",
  traits: ["updates-session"],
};

const emit = (source: SmallSource): Promise<string> => emitFile(mocks, "mocks.ts", source);

describe("mocks", () => {
  it("have only samples in a protocol without initialize or session updates", async () => {
    const text = await emit({ definitions: { Note: NOTE }, methods: [METHOD] });
    expect(text).not.toMatch(/createMock|UPDATES|runtime/);
  });

  it("have an update of every variant, with the type of the variant", async () => {
    const variant = (name: string): object => ({
      type: "object",
      properties: { sessionUpdate: { type: "string", const: name } },
      required: ["sessionUpdate"],
    });
    const definitions = {
      Update: {
        type: "object",
        properties: { update: { $ref: "#/$defs/Any" } },
        required: ["update"],
      },
      Any: {
        oneOf: [variant("start"), variant("*/ odd")],
        discriminator: { propertyName: "sessionUpdate" },
      },
    };
    const text = await emit({ definitions, methods: [UPDATE] });
    expect(text).toContain(
      'readonly start: Extract<types.Any, { readonly sessionUpdate: "start" }>;',
    );
    expect(text).toContain('"*/ odd": { sessionUpdate: "*/ odd" },');
  });

  it("are refused with an InputError where a definition has no sample", async () => {
    const endless = {
      type: "object",
      properties: { note: { $ref: "#/$defs/Note" } },
      required: ["note"],
    };
    await expect(emit({ definitions: { Note: endless }, methods: [METHOD] })).rejects.toThrow(
      InputError,
    );
  });
});
