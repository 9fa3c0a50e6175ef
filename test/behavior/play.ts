import { buildProtocol } from "../../generators/model/build/build.js";
import { expandBehavior } from "../../generators/emit/behavior/expand.js";
import { testBehavior, type BehaviorResult } from "../../generators/index.js";
import { resolveInputs } from "../../generators/run/inputs/select-profiles.js";
import { SCHEMA } from "../../generators/run/installation.js";
import { loadBehavior } from "../../generators/schema/source/load-behavior.js";
import { IS_DEEP } from "../support/deep.js";
import type { TestedSubject } from "./subjects.js";

/** How long a step waits: machines that others share stop processes for seconds. */
const TIMEOUT_MS = 20_000;

/** A quick run plays every so many scripts with each subject; one that decides about a change, all. */
const EVERY = IS_DEEP || process.env["CI"] === "true" ? 1 : 3;

/** The only scripts to play, as `client/behind-turn`; the environment variable has commas between them. */
const SCRIPTS = (process.env["SCRIPTS"] ?? "").split(",").filter((id) => id !== "");

/** The ids of the scripts of a subject. */
export function idsOf({ subject, profile }: Pick<TestedSubject, "subject" | "profile">): string[] {
  const [input] = resolveInputs({ profiles: [profile] }, SCHEMA);
  const protocol = buildProtocol(input!.bundle, input!.profile);
  return expandBehavior(protocol, loadBehavior(SCHEMA))
    .scripts.filter((script) => script.subject === subject)
    .map(({ id }) => id);
}

/** Returns the scripts that this run plays: in a quick one a part, in a deep one all. */
export function partOf(ids: readonly string[], seed: number): string[] {
  return ids.filter((id, number) =>
    SCRIPTS.length > 0 ? SCRIPTS.includes(id) : (number + seed) % EVERY === 0,
  );
}

/** Plays scripts, and once more those that failed: their times assume a machine that is not stopped. */
export async function playAgain(
  { subject, profile, command }: Omit<TestedSubject, "language">,
  only: readonly string[],
): Promise<BehaviorResult> {
  const inputs = { profiles: [profile] };
  const options = { subject, inputs, command, isTestee: true, timeoutMs: TIMEOUT_MS };
  const first = await testBehavior({ ...options, only });
  const failed = first.scripts.filter(({ outcome }) => outcome === "failed");
  if (failed.length === 0 || failed.length > 5) return first;
  const again = await testBehavior({ ...options, only: failed.map(({ id }) => id), jobs: 1 });
  const second = new Map(again.scripts.map((script) => [script.id, script]));
  return { ...first, scripts: first.scripts.map((script) => second.get(script.id) ?? script) };
}

/** Describes the scripts that failed, with what was sent. */
export function failuresOf({ scripts }: BehaviorResult): string[] {
  return scripts
    .filter(({ outcome }) => outcome === "failed")
    .map(({ id, step, reason, wire }) => [`${id}, step ${step}: ${reason}`, ...wire].join("\n"));
}
