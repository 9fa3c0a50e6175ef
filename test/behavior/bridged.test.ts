import { describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { failuresOf, idsOf, partOf, playAgain } from "./play.js";
import { OWN_SUBJECTS, type TestedSubject } from "./subjects.js";

const BRIDGE = `${ROOT}out/typescript/dist/bridge/command.js`;

/** What the other version cannot say. */
const NO_FILES = "Version 2 has no method for files.";
const NO_TERMINALS = "Version 2 has no method for terminals.";
const NO_MODES = "A testee of version 2 has no modes.";
const UNKNOWN_BLOCK = "The bridge drops blocks that neither version knows, and reports it.";
const ACCEPTANCE = "The bridge accepts a prompt when the agent of version 1 has begun.";
const HISTORY = "The testee of version 1 replays chunks, and answers every session/load alike.";
const NO_KEY = "Version 1 has no key of a prompt.";
const NO_BACKGROUND = "Version 1 has no background work.";
const WITHDRAWN =
  "The bridge withdraws the questions of a closed session behind the end of its work.";
const SERVERS = "Version 1 leaves the names and commands of MCP servers to the agent.";

/** The scripts that an agent of the other version behind the bridge does not pass, with the reasons. */
const EXCEPTIONS: { readonly [profile in TestedSubject["profile"]]: Record<string, string> } = {
  v1: {
    "agent/cancel-open-call": NO_FILES,
    "agent/call-at-end": NO_FILES,
    "agent/call-at-end-fails": NO_FILES,
    "agent/nested-call": NO_FILES,
    "agent/nested-call-fails": NO_FILES,
    "agent/late-answer": NO_FILES,
    "agent/null-result": NO_FILES,
    "agent/call-and-response": NO_FILES,
    "agent/terminal": NO_TERMINALS,
    "agent/late-terminal": NO_TERMINALS,
    "agent/cancelled-terminal": NO_TERMINALS,
    "agent/modes": NO_MODES,
    "agent/set-mode": NO_MODES,
    "agent/mode-update": NO_MODES,
    "agent/later-block-back": UNKNOWN_BLOCK,
    "agent/initialize-after-session": "Version 2 refuses a second initialize.",
    "agent/dollar-cancel-with-id":
      "The bridge passes it as the request that it is, which is refused.",
    "agent/after-response":
      "The response of version 2 is that to the prompt, not that to the turn.",
  },
  v2: {
    "agent/cancel-one": ACCEPTANCE,
    "agent/nested-extension-unknown": ACCEPTANCE,
    "agent/extension-notification": ACCEPTANCE,
    "agent/exception-v2": ACCEPTANCE,
    "agent/own-error-v2": ACCEPTANCE,
    "agent/turns-in-order-v2": "An agent of version 1 works on two prompts at once.",
    "agent/cancel-queued": "An agent of version 1 works on two prompts at once.",
    "agent/new-running": "The state of a session of version 1 follows from its prompts.",
    "agent/resume-own-state": "The state of a session of version 1 follows from its prompts.",
    "agent/set-option-v2": "The modes of version 1 are one more option in version 2.",
    "agent/later-block-back": UNKNOWN_BLOCK,
    "agent/resume-replays": HISTORY,
    "agent/resume-own-marker": HISTORY,
    "agent/resume-own-state-replays": HISTORY,
    "agent/resume-replay-fails": HISTORY,
    "agent/resume-holds-updates": HISTORY,
    "agent/resume-fails-holds-updates": HISTORY,
    "agent/retry": NO_KEY,
    "agent/retry-state": NO_KEY,
    "agent/retry-running": NO_KEY,
    "agent/retry-together": NO_KEY,
    "agent/retry-resumed": NO_KEY,
    "agent/key-of-session": NO_KEY,
    "agent/bad-key": NO_KEY,
    "agent/unknown-kind": "Version 1 has no other kinds of options.",
    "agent/subagent-close": NO_BACKGROUND,
    "agent/elicitation-withdrawn-by-close": WITHDRAWN,
    "agent/permission-withdrawn-by-close": WITHDRAWN,
    "agent/background-subagent": NO_BACKGROUND,
    "agent/idle-before-next-work": "An agent of version 1 works on two prompts at once.",
    "agent/cancel-before-turn": ACCEPTANCE,
    "agent/stop-unlisted-v2":
      "An agent of version 1 fails the prompt, whose answer has the reason.",
    "agent/server-names": SERVERS,
    "agent/server-command": SERVERS,
  },
};

const AGENTS = OWN_SUBJECTS.filter(
  ({ language, subject }) => language === "TypeScript" && subject === "agent",
);

describe.each(AGENTS)("an agent of the other version behind a bridge, in $profile", (agent) => {
  const { profile, subject } = agent;
  const other = AGENTS.find((one) => one.profile !== profile)!;
  const command = [process.execPath, BRIDGE, "--quiet", "--", ...other.command];

  test("passes the scripts that its version can say", { timeout: 300_000 }, async () => {
    const exceptions = EXCEPTIONS[profile];
    const only = partOf(idsOf(agent), 3, 0).filter((id) => exceptions[id] === undefined);
    if (only.length === 0) return;
    expect(failuresOf(await playAgain({ profile, subject, command }, only))).toEqual([]);
  });

  test("fails the others", { timeout: 120_000 }, async () => {
    const only = Object.keys(EXCEPTIONS[profile]);
    const { scripts } = await playAgain({ profile, subject, command }, only);
    expect(scripts.filter(({ outcome }) => outcome !== "failed").map(({ id }) => id)).toEqual([]);
  });
});
