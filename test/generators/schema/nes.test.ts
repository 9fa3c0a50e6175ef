import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { extraPath, lacksExtras } from "../../support/extras.js";
import { composed, validatorOf, type Validator } from "./canonical.js";

/** An example of the proposal. */
interface Example {
  readonly section: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Which definition says what an example is, and which part of it. */
function subject({ section, value }: Example): {
  readonly definition: string;
  readonly payload: unknown;
} {
  const { method, params, result, error } = value;
  if (error !== undefined) return { definition: "Error", payload: error };
  if (typeof method === "string") return { definition: PARAMS[method]!, payload: params };
  if (result !== undefined) return { definition: RESULTS[section]!, payload: result };
  if ("clientCapabilities" in value)
    return { definition: "ClientCapabilities", payload: value["clientCapabilities"] };
  if ("agentCapabilities" in value)
    return { definition: "AgentCapabilities", payload: value["agentCapabilities"] };
  if ("capabilities" in value) {
    const definition =
      section === "Client capabilities" || JSON.stringify(value).includes("general")
        ? "ClientCapabilities"
        : "AgentCapabilities";
    return { definition, payload: value["capabilities"] };
  }
  return { definition: "NewSessionResponse", payload: { sessionId: "s", ...value } };
}

const PARAMS: { readonly [method: string]: string } = {
  "nes/start": "StartNesRequest",
  "nes/suggest": "SuggestNesRequest",
  "nes/close": "CloseNesRequest",
  "nes/accept": "AcceptNesNotification",
  "nes/reject": "RejectNesNotification",
  "document/didOpen": "DidOpenDocumentNotification",
  "document/didChange": "DidChangeDocumentNotification",
  "document/didClose": "DidCloseDocumentNotification",
  "document/didSave": "DidSaveDocumentNotification",
  "document/didFocus": "DidFocusDocumentNotification",
};

const RESULTS: { readonly [section: string]: string } = {
  "Suggestion response": "SuggestNesResponse",
  "NES session start": "StartNesResponse",
  "NES session close": "CloseNesResponse",
};

function examples(name: string): Example[] {
  return JSON.parse(readFileSync(extraPath(`fixtures/nes/${name}.json`), "utf8")) as Example[];
}

function verdict(validate: Validator, example: Example): string | undefined {
  const { definition, payload } = subject(example);
  return validate(definition, payload);
}

describe.skipIf(lacksExtras("the examples of the NES proposal"))(
  "the examples of the proposal",
  () => {
    const shipped = validatorOf(composed("v1", ["nes"]));
    const actions = validatorOf(composed("v1", ["nes", "nes_ide_actions"]));

    test("as released are valid with nes, except for the one that does not describe a config option", () => {
      const wrong = examples("proposal-shipped").filter(
        (example) => verdict(shipped, example) !== undefined,
      );
      expect(examples("proposal-shipped")).toHaveLength(23);
      expect(wrong.map(({ section }) => section)).toEqual(["Config options"]);
    });

    /** Every example of the first draft: whether it fits, and why not where it does not. */
    const draft: readonly [section: string, fits: boolean, reason: string][] = [
      ["Capability advertisement", true, "the container has another name; its content fits"],
      ["Client capabilities", true, "nes.ideActions is what nes_ide_actions adds"],
      ["Position encoding", true, "general.positionEncodings is what nes_ide_actions adds"],
      ["Position encoding", true, "the agent's answer has the shipped place"],
      ["document/didOpen", false, "no sessionId"],
      ["document/didChange", false, "no sessionId"],
      ["document/didChange", false, "no sessionId"],
      ["document/didClose", false, "no sessionId"],
      ["document/didSave", false, "no sessionId"],
      ["document/didFocus", false, "no sessionId"],
      ["Suggestion request", false, "no sessionId, and user actions by line and offset"],
      ["Suggestion response", true, "an edit"],
      ["Suggestion response", true, "a jump"],
      ["Suggestion response", true, "an action, which is what nes_ide_actions adds"],
      ["Accept / Reject", false, "no sessionId"],
      ["Accept / Reject", false, "no sessionId"],
      ["NES session start", true, "the request"],
      ["NES session start", true, "the response"],
      ["Error handling", true, "the code is open"],
      ["Config options", false, "type enum and labels are no config option"],
    ];

    test("as first drafted conform to nes_ide_actions as far as it adopts them", () => {
      const found = examples("proposal-draft").map((example, index) => [
        example.section,
        verdict(actions, example) === undefined,
        draft[index]?.[2],
      ]);
      expect(found).toEqual(draft);
    });

    test("show that the draft's action is not one of the released kinds", () => {
      const action = examples("proposal-draft").find(({ value }) =>
        JSON.stringify(value).includes('"actionId"'),
      )!;
      expect(verdict(shipped, action)).toBeDefined();
      expect(verdict(actions, action)).toBeUndefined();
    });
  },
);

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
