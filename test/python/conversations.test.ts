import { describe } from "vitest";
import { expectConversation } from "../interop/expect-conversation.js";
import { IS_DEEP } from "../support/deep.js";
import type { Profile } from "../use/samples/profiles.js";
import { pythonTest } from "./run-python.js";

const PAIRS = [
  ["python", "bindings"],
  ["bindings", "python"],
  ["python", "sdk"],
  ["sdk", "python"],
  ["python", "python"],
] as const;

const PROFILES: readonly Profile[] = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable"];

describe.each(PROFILES.filter((name) => IS_DEEP || name === "v1-full" || name === "v2"))(
  "a conversation with every method and update of %s",
  (profile) => {
    pythonTest.each(PAIRS)("passes between a client on %s and an agent on %s", (client, agent) =>
      expectConversation(profile, { client, agent }),
    );
  },
);
