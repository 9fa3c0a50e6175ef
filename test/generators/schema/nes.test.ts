import { describe, expect, test } from "vitest";
import { composed, validatorOf } from "./canonical.js";

describe("an action suggestion", () => {
  const range = { line: 1, character: 2 };
  const validate = validatorOf(composed("v1", ["nes", "nes_ide_actions"]));
  const suggestion = (fields: object): object => ({ kind: "action", id: "a", ...fields });

  test("has typed parameters for the well-known actions", () => {
    const rename = { uri: "file:///a", position: range, newName: "b" };
    expect(
      validate("NesSuggestion", suggestion({ actionId: "rename", arguments: rename })),
    ).toBeUndefined();
    expect(
      validate("NesSuggestion", suggestion({ actionId: "rename", arguments: { uri: 5 } })),
    ).toBeDefined();
  });

  test("accepts the parameters of unknown actions unchanged", () => {
    expect(
      validate("NesSuggestion", suggestion({ actionId: "_sortImports", arguments: { any: [1] } })),
    ).toBeUndefined();
  });
});
