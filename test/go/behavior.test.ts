import { describe, expect } from "vitest";
import { NEEDS_PROMPT } from "../../generators/tools/conformance/behavior/behavior.js";
import { askedOf, expectPassed, failuresOf, idsOf, playAgain } from "../behavior/play.js";
import { buildTestee } from "./build-testee.js";
import { goTest } from "./go-test.js";

/** A script that an agent of both versions answers in version 2, whose params it does not have. */
const FUTURE = "agent/version-future";

const SUBJECTS = (["agent", "client"] as const).flatMap((subject) =>
  ([1, 2] as const).map((version) => ({ subject, version, profile: `v${version}` as const })),
);

describe.each(SUBJECTS)("$profile, $subject, Go", ({ subject, version, profile }) => {
  const stable = idsOf({ subject, profile });
  const all = askedOf(stable);
  const play = async (only: readonly string[], ...args: readonly string[]): Promise<void> => {
    if (only.length === 0) return;
    const command = [buildTestee(subject, version), ...args];
    const result = await playAgain({ subject, profile, command }, only);
    expect(failuresOf(result)).toEqual([]);
    const left = result.scripts.filter(({ outcome }) => outcome === "not-tested");
    // Some scripts are for agents that are not testees.
    expect(left.filter(({ reason }) => reason !== NEEDS_PROMPT)).toEqual([]);
  };

  goTest("passes every script", { timeout: 600_000 }, async () => {
    await play(all.filter((id) => id !== FUTURE));
    await play(
      all.filter((id) => id === FUTURE),
      String(version),
    );
  });

  goTest("passes the scripts of features", { timeout: 600_000 }, () => {
    const unstable = `${profile}-unstable`;
    const only = idsOf({ subject, profile: unstable }).filter((id) => !stable.includes(id));
    const command = [buildTestee(subject, version, "unstable"), String(version)];
    return expectPassed({ subject, profile: unstable, command }, askedOf(only));
  });
});
