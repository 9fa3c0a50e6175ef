import { beforeAll, describe } from "vitest";
import { expectConversation } from "../interop/expect-conversation.js";
import { scriptOf } from "../interop/scripts/script-of.js";
import type { Library } from "../interop/transcript.js";
import { loadProtocols } from "../generators/model/parts/profiles.js";
import { HAS_PYTHON } from "../python/python-env.js";
import { IS_DEEP } from "../support/deep.js";
import type { Profile } from "../use/samples/profiles.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { buildPlayer } from "./build-player.js";
import { goTest, isSkipped } from "./go-test.js";

const PAIRS = [
  ["go", "bindings"],
  ["bindings", "go"],
  ["go", "sdk"],
  ["sdk", "go"],
  ["go", "go"],
  ...(HAS_PYTHON
    ? ([
        ["go", "python"],
        ["python", "go"],
      ] as const)
    : []),
] as const;

const PROFILES: readonly Profile[] = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable"];
const folder = temporaryFolder();

describe.each(PROFILES.filter((name) => IS_DEEP || name === "v1-full" || name === "v2"))(
  "a conversation with every method and update of %s",
  (profile) => {
    let program = "";
    beforeAll(() => {
      const protocol = loadProtocols().find((one) => one.profile === profile)!;
      if (!isSkipped) program = buildPlayer(folder, protocol, scriptOf(profile).script);
    }, 300_000);

    goTest.each(PAIRS)("passes between a client on %s and an agent on %s", async (...pair) => {
      const [client, agent] = pair.map((name): Library =>
        name === "go" ? { command: program } : name,
      ) as [Library, Library];
      await expectConversation(profile, { client, agent });
    });
  },
);
