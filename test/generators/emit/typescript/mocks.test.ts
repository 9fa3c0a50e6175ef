import { describe, expect, it } from "vitest";
import { mocks } from "../../../../generators/emit/typescript/mocks/mocks.js";
import { InputError } from "../../../../generators/schema/problem.js";
import { emitFile, type SmallMethod, type SmallSource } from "../small-protocol.js";

const METHOD: SmallMethod = { name: "note/save", params: "Note" };
const NOTE = { type: "object", properties: { text: { type: "string" } } } as const;

const emit = (source: SmallSource): Promise<string> => emitFile(mocks, "mocks.ts", source);

describe("mocks", () => {
  it("have only samples in a protocol without initialize or session updates", async () => {
    const text = await emit({ definitions: { Note: NOTE }, methods: [METHOD] });
    expect(text).not.toMatch(/createMock|UPDATES|runtime/);
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
