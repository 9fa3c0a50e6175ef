import { describe, expect } from "vitest";
import { failuresOf, idsOf, partOf, playAgain } from "../behavior/play.js";
import { buildTestee } from "./build-testee.js";
import { goTest } from "./go-test.js";

const NO_STATE = "The state of a session stays with the first two languages.";
const NO_CHOICE = "A program in Go chooses itself between resuming, loading and a new session.";
const ONE_LOOP = "A turn in Go has one loop.";

/** The scripts that the programs do not play, with the reasons. */
const EXCEPTIONS: { readonly [id: string]: string } = {
  ...exceptions(
    NO_STATE,
    `early-update-state load modes mode-refused mode-update options options-v2 commands commands-v2 messages messages-v2
     echo echo-with-id echo-in-parts other-user-message echo-that-differs user-after-agent echo-of-each-turn
     refused-prompt failed-turn late-chunk message-ids thought tool-call tool-call-v2 other-session title`,
  ),
  ...exceptions(
    NO_CHOICE,
    `continue-resumes continue-loads continue-replays continue-new continue-not-advertised continue-sign-in continue-v2
     continue-replays-v2`,
  ),
  "client/two-loops": ONE_LOOP,
};

function exceptions(reason: string, names: string): { readonly [id: string]: string } {
  return Object.fromEntries(names.split(/\s+/).map((name) => [`client/${name}`, reason]));
}

const SUBJECTS = (["agent", "client"] as const).flatMap((subject) =>
  ([1, 2] as const).map((version) => ({ subject, version, profile: `v${version}` as const })),
);

describe.each(SUBJECTS.map((one, index) => ({ ...one, index })))(
  "$profile, $subject, Go",
  ({ subject, version, profile, index }) => {
    goTest("passes every script but the exceptions", { timeout: 600_000 }, async () => {
      const only = partOf(idsOf({ subject, profile }), index);
      if (only.length === 0) return;
      const command = [buildTestee(subject, version)];
      const result = await playAgain({ subject, profile, command }, only);
      expect(failuresOf(result)).toEqual([]);
      const passed = result.scripts.filter(({ outcome }) => outcome === "passed");
      const left = result.scripts.filter(({ outcome }) => outcome === "not-tested");
      // An agent need not have what a script for any agent asks for.
      const own = left.map(({ id }) => id).filter((id) => id.startsWith("client/"));
      expect(own).toEqual(own.filter((id) => EXCEPTIONS[id] !== undefined));
      expect(passed.length).toBeGreaterThan(
        subject === "agent" ? 0.9 * only.length : 0.6 * only.length,
      );
    });
  },
);
