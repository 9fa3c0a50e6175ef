import { describe, expect, test } from "vitest";
import { extraLines, lacksExtras } from "../../support/extras.js";
import { composed, validatorOf, sources, type Validator } from "./canonical.js";

/** A message that this project did not write. */
interface Message {
  readonly source: string;
  readonly version: string;
  readonly def?: string;
  readonly expect: "valid" | "invalid";
  readonly payloadPath?: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The profile that a message is about: drafts and proposals need the features. */
function profileOf({ version, source }: Message): string {
  if (version === "nes") return "v1-full";
  if (version.startsWith("rfd:v2/") || source.includes("/v2/draft/")) return "v2-full";
  if (version.startsWith("rfd:")) return "v1-full";
  return version === "v1" ? "v1-full" : version;
}

const SPECIFICATION = "agentclientprotocol/agent-client-protocol:";
const KOTLIN =
  "agentclientprotocol/kotlin-sdk:acp-model/src/commonTest/kotlin/com/agentclientprotocol/model/SessionUpdateSerializerTest.kt";
const NO_FILE = "an older draft: a plan is no longer kept in a file";
const OLD_PLAN = "an older draft: the plan's id has become planId";

/** Messages about which their source is wrong by now, in the order of the file. */
const EXCEPTIONS: readonly (readonly [source: string, reason: string])[] = [
  [`${SPECIFICATION}docs/protocol/v1/draft/agent-plan.mdx#block4`, NO_FILE],
  [
    `${SPECIFICATION}docs/protocol/v1/draft/session-modes.mdx#block4`,
    "a mistake there: a bare content block as tool call content",
  ],
  [
    `${SPECIFICATION}docs/protocol/v1/session-setup.mdx#block7`,
    "a mistake there, corrected since: the result is an object, not null",
  ],
  [
    `${SPECIFICATION}docs/protocol/v2/draft/slash-commands.mdx#block1`,
    "a mistake there: the command's input has no type",
  ],
  [
    `${SPECIFICATION}docs/rfds/get-auth-state.mdx#block5`,
    "an older draft: authenticated and message have become state",
  ],
  [`${SPECIFICATION}docs/rfds/plan-operations.mdx#block2`, OLD_PLAN],
  [`${SPECIFICATION}docs/rfds/v2/plan-variants.mdx#block1`, OLD_PLAN],
  [
    `${SPECIFICATION}docs/rfds/v2/prompt.mdx#block3`,
    "an older draft: the response has a messageId now",
  ],
  [
    `${SPECIFICATION}agent-client-protocol-schema/src/v1/client.rs`,
    "its test is about something else: the notice has all that is required",
  ],
  ...Array.from({ length: 8 }, () => [KOTLIN, `${OLD_PLAN}, or ${NO_FILE}`] as const),
];

describe.skipIf(lacksExtras("the fixtures of other implementations"))(
  "the messages of the field",
  () => {
    const messages = extraLines<Message>("fixtures/messages.ndjson");
    const validators = new Map<string, Validator>();
    const validatorFor = (name: string): Validator => {
      const validator =
        validators.get(name) ??
        validatorOf(
          composed(sources.profiles.get(name)!.protocol, sources.profiles.get(name)!.features),
        );
      validators.set(name, validator);
      return validator;
    };

    test("get the verdict of their source in the profile of their version, except for the listed ones", () => {
      const checked = messages.filter((message) => {
        const { protocol, features } = sources.profiles.get(profileOf(message))!;
        // They are of the newest release; the schema may follow an earlier one.
        return (
          message.def !== undefined && composed(protocol, features).definitions.has(message.def)
        );
      });
      const wrong = checked.filter((message) => {
        const payload = message.payloadPath ? message.value[message.payloadPath] : message.value;
        const isValid = validatorFor(profileOf(message))(message.def!, payload) === undefined;
        return isValid !== (message.expect === "valid");
      });
      expect(checked.length).toBeGreaterThan(200);
      const present = new Set(checked.map(({ source }) => source));
      const expected = EXCEPTIONS.map(([source]) => source).filter((source) => present.has(source));
      expect(wrong.map(({ source }) => source)).toEqual(expected);
    });
  },
);
