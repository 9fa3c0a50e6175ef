import { expect } from "vitest";
import { buildProtocol } from "../../generators/model/build/build.js";
import { expandBehavior } from "../../generators/emit/behavior/expand.js";
import {
  testBehavior,
  type BehaviorOptions,
  type BehaviorResult,
  type BehaviorScript,
} from "../../generators/index.js";
import { playBehavior } from "../../generators/tools/conformance/behavior/behavior.js";
import type { SubjectProcess } from "../../generators/tools/processes/subject-process.js";
import { resolveInputs } from "../../generators/run/inputs/select-profiles.js";
import { SCHEMA } from "../../generators/run/installation.js";
import { loadBehavior } from "../../generators/schema/source/load-behavior.js";
import { IS_DEEP } from "../support/deep.js";
import type { TestedSubject } from "./subjects.js";

/** How long a step waits: machines that others share stop processes for seconds. */
const TIMEOUT_MS = 20_000;

/** The only scripts to play, as `client/behind-turn`; the environment variable has commas between them. */
const SCRIPTS = (process.env["SCRIPTS"] ?? "").split(",").filter((id) => id !== "");

/** A subject, and how it is started: by default by its command. */
interface Played extends Pick<TestedSubject, "subject" | "command"> {
  readonly profile: string;
  readonly start?: () => Promise<SubjectProcess>;
}

/** The ids of the scripts of a subject. */
export function idsOf(subject: Pick<Played, "subject" | "profile">): string[] {
  return scriptsOf(subject).map(({ id }) => id);
}

/** The scripts of a subject. */
export function scriptsOf({
  subject,
  profile,
}: Pick<Played, "subject" | "profile">): BehaviorScript[] {
  const [input] = resolveInputs({ profiles: [profile] }, SCHEMA);
  const protocol = buildProtocol(input!.bundle, input!.profile);
  return expandBehavior(protocol, loadBehavior(SCHEMA)).scripts.filter(
    (script) => script.subject === subject,
  );
}

/** Returns the scripts that `SCRIPTS` names, or else all. */
export function askedOf(ids: readonly string[]): readonly string[] {
  return SCRIPTS.length > 0 ? ids.filter((id) => SCRIPTS.includes(id)) : ids;
}

/**
 * Returns the scripts that `SCRIPTS` names, or else a part of all; a deep run has all.
 *
 * @param every how many scripts there are for each that is played
 * @param seed which of them; the environment variable `SEED` takes other ones
 */
export function partOf(ids: readonly string[], every: number, seed: number): readonly string[] {
  if (SCRIPTS.length > 0 || IS_DEEP) return askedOf(ids);
  const first = seed + Number(process.env["SEED"] ?? 0);
  return ids.filter((_, number) => (number + first) % every === 0);
}

/** Plays scripts, and once more those that failed: their times assume a machine that is not stopped. */
export async function playAgain(
  { subject, profile, command, start }: Played,
  only: readonly string[],
): Promise<BehaviorResult> {
  const inputs = { profiles: [profile] };
  const options = { subject, inputs, command, isTestee: true, timeoutMs: TIMEOUT_MS };
  const play = (selected: Partial<BehaviorOptions>): Promise<BehaviorResult> =>
    start === undefined
      ? testBehavior({ ...options, ...selected })
      : playBehavior({ ...options, jobs: 8, ...selected }, start);
  const first = await play({ only });
  const failed = first.scripts.filter(({ outcome }) => outcome === "failed");
  if (failed.length === 0 || failed.length > 5) return first;
  const again = await play({ only: failed.map(({ id }) => id), jobs: 1 });
  const second = new Map(again.scripts.map((script) => [script.id, script]));
  return { ...first, scripts: first.scripts.map((script) => second.get(script.id) ?? script) };
}

/** Plays scripts, and expects that none fails and that the subject has the behaviors that most of them need. */
export async function expectPassed(subject: Played, only: readonly string[]): Promise<void> {
  if (only.length === 0) return;
  const result = await playAgain(subject, only);
  expect(failuresOf(result)).toEqual([]);
  const passed = result.scripts.filter(({ outcome }) => outcome === "passed").length;
  expect(passed).toBeGreaterThanOrEqual(Math.floor(0.9 * only.length));
}

/** Describes the scripts that failed, with what was sent. */
export function failuresOf({ scripts }: BehaviorResult): string[] {
  return scripts
    .filter(({ outcome }) => outcome === "failed")
    .map(({ id, step, reason, wire }) => [`${id}, step ${step}: ${reason}`, ...wire].join("\n"));
}
