import { beforeAll, describe, expect, test } from "vitest";
import { testBehavior, type BehaviorResult } from "../../generators/index.js";
import { HAS_PYTHON } from "../python/python-env.js";
import { IS_DEEP } from "../support/deep.js";
import { OWN_SUBJECTS, usePython } from "./subjects.js";

beforeAll(usePython);

/** How long a step waits: machines that others share stop processes for seconds. */
const TIMEOUT_MS = 20_000;

describe.each(OWN_SUBJECTS)("$profile, $subject, $language", ({ language, ...subject }) => {
  const isSkipped = language === "Python" && !HAS_PYTHON && process.env["CI"] !== "true";
  test.skipIf(isSkipped)("passes every script", { timeout: 240_000 }, async () => {
    const result = await playAgain(subject);
    expect(failuresOf(result)).toEqual([]);
    expect(result.scripts.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(50);
  });
});

/** Plays all scripts, and once more those that failed: their times assume a machine that is not stopped. */
async function playAgain({ subject, profile, command }: Subject): Promise<BehaviorResult> {
  const options = {
    subject,
    inputs: { profiles: [profile] },
    command,
    isTestee: true,
    timeoutMs: TIMEOUT_MS,
  };
  const first = await testBehavior(options);
  const failed = first.scripts.filter(({ outcome }) => outcome === "failed");
  if (failed.length === 0 || failed.length > 5) return first;
  const again = await testBehavior({ ...options, only: failed.map(({ id }) => id), jobs: 1 });
  const second = new Map(again.scripts.map((script) => [script.id, script]));
  return { ...first, scripts: first.scripts.map((script) => second.get(script.id) ?? script) };
}

type Subject = Pick<(typeof OWN_SUBJECTS)[number], "subject" | "profile" | "command">;

function failuresOf({ scripts }: BehaviorResult): string[] {
  return scripts
    .filter(({ outcome }) => outcome === "failed")
    .map(({ id, step, reason, wire }) => [`${id}, step ${step}: ${reason}`, ...wire].join("\n"));
}
