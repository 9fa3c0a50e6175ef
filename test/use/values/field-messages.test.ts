import { describe, expect, it } from "vitest";
import { extraLines, lacksExtras } from "../../support/extras.js";
import { loadBindings } from "../samples/profiles.js";

/** A message that this project did not write; the part that a definition describes, or where it is. */
interface Message {
  readonly version: string;
  readonly def?: string | null;
  readonly expect?: string;
  readonly payloadPath?: string;
  /** Absent where it is null. */
  readonly value?: unknown;
  readonly payload?: unknown;
}

/** Lines of a file with the reason why a decode does not say what the file expects. */
interface Exceptions {
  readonly [line: number]: string;
}

const UNREPAIRABLE: Exceptions = {
  1: "`used` is required and has no default",
  2: "`used` is required and has no default",
  3: "`configOptions` is required, and a missing list is an error",
  4: "`configOptions` is required, and a missing list is an error",
  5: "`configOptions` is required, and a missing list is an error",
  6: "a result is an object; null was an error of old documentation",
  7: "a result is an object; null was an error of old documentation",
  8: "null has no session id",
  12: "there is no `cwd`",
  13: "the outcome is a text instead of an object",
  16: "a protocol version is a number",
  17: "a protocol version is a number",
  18: "a protocol version is a number",
  20: "`env` decides what is run, so that its schema is strict",
  21: "`env` decides what is run, so that its schema is strict",
  23: "`mcpServers` decides what is run, so that its schema is strict",
  24: "`args` and `env` decide what is run, so that their schema is strict",
  28: "a protocol version is a number",
  41: "there is no `group`",
  52: "there is no `currentModeId`",
  55: "the content of a chunk is one block, and a list could be of several",
  56: "there is no `update`",
  57: "there is no `update`",
  58: "there is no `prompt`",
  59: "`mcpServers` is required and may only be null",
  60: "there is no `state`",
  69: "a protocol version is a number",
};

/** All of one bridge's scripts, which were sent to an agent of its own. */
const RECORDED: Exceptions = {
  52: "`mcpServers` is required and may only be null",
  53: "the prompt is a text instead of a list of content blocks",
  54: "`mcpServers` is required and may only be null",
  55: "the prompt is a text instead of a list of content blocks",
  56: "the prompt is a text instead of a list of content blocks",
  58: "the prompt is a text instead of a list of content blocks",
};

const PUBLISHED: Exceptions = {
  39: "documentation bug: a result of null, corrected since",
  93: "older draft: `authenticated` has become `state`",
  108: "older draft: `plan.id` has become `plan.planId`",
  114: "older draft: `plan.id` has become `plan.planId`",
  116: "older draft: a prompt's response had no `messageId`",
  123: "notices have become a part of v1",
  171: "older draft: `plan.id` has become `plan.planId`",
  172: "older draft: `plan.id` has become `plan.planId`",
  173: "older draft: `plan.id` has become `plan.planId`",
  174: "older draft: `plan.id` has become `plan.planId`",
  175: "older draft: `id` has become `planId`",
  176: "older draft: `id` has become `planId`",
  177: "older draft: `plan.id` has become `plan.planId`",
  178: "older draft: `id` has become `planId`",
  234: "a capability that is no object is dropped, as its schema says",
};

const FILES: {
  readonly [name: string]: { readonly exceptions: Exceptions; readonly least: number };
} = {
  "in-the-wild": { exceptions: UNREPAIRABLE, least: 65 },
  recorded: { exceptions: RECORDED, least: 230 },
  messages: { exceptions: PUBLISHED, least: 230 },
};

describe.skipIf(lacksExtras("decoding the messages of other implementations"))(
  "every message of the field decodes as expected",
  async () => {
    const profiles = { v1: await loadBindings("v1-full"), v2: await loadBindings("v2-full") };

    it.each(Object.keys(FILES))("%s, except for those listed", (name) => {
      const { exceptions, least } = FILES[name]!;
      const checked = extraLines<Message>(`fixtures/${name}.ndjson`).flatMap((message, index) => {
        const { decode, definitions } = profiles[message.version.includes("v2") ? "v2" : "v1"];
        // Some are no requests of the protocol at all.
        if (!message.def || !definitions.includes(message.def)) return [];
        const result = decode(message.def, payload(message));
        // A message that agents have sent must be accepted, whatever a strict schema says of it.
        const expected = name !== "messages" || message.expect === "valid";
        return [{ line: index + 1, isExpected: result.ok === expected }];
      });
      expect(checked.length).toBeGreaterThanOrEqual(least);
      const unexpected = checked.filter(({ isExpected }) => !isExpected).map(({ line }) => line);
      // A release may not have the definition of a listed message.
      const listed = checked.filter(({ line }) => exceptions[line] !== undefined);
      expect(unexpected).toEqual(listed.map(({ line }) => line));
    });
  },
);

function payload({ value = null, payload = value, payloadPath }: Message): unknown {
  const keys = payloadPath ? payloadPath.split(".") : [];
  return keys.reduce<unknown>(
    (part, key) => (part as { readonly [key: string]: unknown } | undefined)?.[key],
    payload,
  );
}
