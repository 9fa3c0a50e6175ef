import { availableParallelism } from "node:os";
import { expandBehavior } from "../../../emit/behavior/expand.js";
import type { ScriptedBehavior, BehaviorScript } from "../../../emit/behavior/script.js";
import { buildProtocol } from "../../../model/build/build.js";
import type { Subject } from "../../../schema/source/behavior-source.js";
import { loadBehavior } from "../../../schema/source/load-behavior.js";
import { loadTemplates } from "../../../run/inputs/load-templates.js";
import type { Input } from "../../../run/inputs/input.js";
import { resolveInputs } from "../../../run/inputs/select-profiles.js";
import type { Inspector } from "../../inspect/inspector-api.js";
import { loadInspector, loadProfile } from "../../inspect/load-inspector.js";
import { SCHEMA } from "../../../run/installation.js";
import { checkOptions, OPTION, type OptionRules } from "../../../run/check-options.js";
import { checkSelection, INPUTS_OPTION } from "../../../run/check-selection.js";
import { HINTS } from "../../../run/hints.js";
import { unknownName, usageError } from "../../../run/messages.js";
import type { Selection } from "../../../run/options.js";
import {
  judge,
  judgeAll,
  type CommonFinding,
  type Played,
  type PlayedFinding,
  type ScriptResult,
} from "./judge-scripts.js";
import { playScript, type Exchanged, type Outcome, type PlayOptions } from "./play-script.js";
import { selectScripts } from "./select-scripts.js";
import { findInWire } from "./wire-findings.js";
import { createStartCheck, type StartCheck } from "./start-check.js";
import { startSubject, type SubjectProcess } from "../../processes/subject-process.js";

export interface BehaviorOptions {
  /** The side that the command is. */
  readonly subject: Subject;
  /** The profile of the scripts. */
  readonly inputs: Selection;
  /** A program and its arguments, started anew for each script. */
  readonly command: readonly string[];
  /** Whether an agent has the fixed behaviors of a testee; clients must have them. */
  readonly isTestee?: boolean;
  /** The text for turns with an agent that is not a testee; without it, they are not tested. */
  readonly prompt?: string;
  /** Plays the scripts with these rules or ids, or whose ids contain these texts; all when absent. */
  readonly only?: readonly string[];
  /** How long a step waits for a message, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number;
  /** How many scripts are played at once; one for each core by default. */
  readonly jobs?: number;
  /** How long the whole run may take, in milliseconds; no limit by default. */
  readonly maxTimeMs?: number;
}

export interface BehaviorResult {
  readonly profile: string;
  readonly subject: Subject;
  /** The rules of the scripts that were selected, with their titles and pages. */
  readonly rules: ScriptedBehavior["rules"];
  /** Errors in the common beginning of several scripts, each of which fails one of them. */
  readonly common: readonly CommonFinding[];
  readonly scripts: readonly ScriptResult[];
}

/** Scripts that can be played with a subject. */
export interface SelectedBehavior extends ScriptedBehavior {
  readonly profile: string;
}

const RULES: OptionRules<BehaviorOptions> = {
  subject: { ...OPTION.text, isRequired: true },
  inputs: INPUTS_OPTION,
  command: { ...OPTION.texts, isRequired: true },
  isTestee: OPTION.flag,
  prompt: OPTION.text,
  only: OPTION.texts,
  timeoutMs: OPTION.time,
  jobs: OPTION.count,
  maxTimeMs: OPTION.time,
};

/** Why scripts are not tested that have not ended within `maxTimeMs`. */
export const TIME_IS_OVER = "the time limit of the run was reached";

/** Why a script with a turn is not tested without a prompt. */
export const NEEDS_PROMPT = "it needs a prompt";

const TIMEOUT_MS = 5000;

const SUBJECTS: readonly Subject[] = ["agent", "client"];

/**
 * Plays the behavior corpus of a profile with an agent or a client, which is started anew for each
 * script. Besides the steps of the script, every message of the subject is checked as `inspect`
 * does; an error fails the script. One in `initialize` or `session/new`, with which scripts begin,
 * fails one script only.
 *
 * @param onResult called for each script when it has ended, before errors in its beginning count;
 *   not before the subject has sent a message
 * @returns the results in the order of the corpus
 * @throws TypeError for an option that is unknown, missing or of another type; InputError for
 *   options that name no profile, several, or no script; OutputError when the command cannot be
 *   started, or sends no message in any of the first scripts
 */
export async function testBehavior(
  options: BehaviorOptions,
  onResult: (result: ScriptResult) => void = () => {},
): Promise<BehaviorResult> {
  checkOptions("testBehavior", options, RULES);
  checkSelection(options.inputs);
  return playBehavior(options, () => startSubject(options.command), onResult);
}

/** Does the work of `testBehavior` with subjects that `start` returns. */
export async function playBehavior(
  options: BehaviorOptions,
  start: () => Promise<SubjectProcess>,
  onResult: (result: ScriptResult) => void = () => {},
): Promise<BehaviorResult> {
  const { jobs = availableParallelism(), timeoutMs = TIMEOUT_MS } = options;
  const input = selectInput(options);
  const { profile, rules, scripts } = selectFrom(input, options);
  const templates = loadTemplates(input.sources);
  const [{ createInspector }, inspected] = await Promise.all([
    loadInspector(templates),
    loadProfile(input, templates),
  ]);
  const played: Played[] = [];
  const queue = scripts.entries();
  /** Results that were not passed on: a subject that does not work at all is an error instead. */
  const held: ScriptResult[] = [];
  const check = createStartCheck(options.command[0]?.trim() ?? "");
  const stop = new AbortController();
  // A subject that has said nothing for the time of a start is not given that time again.
  let startMs: number | undefined;
  const work = async (): Promise<void> => {
    for (const [index, script] of queue) {
      if (stop.signal.aborted) return;
      const play = { ...options, timeoutMs, ...(startMs !== undefined && { startMs }) };
      const run = {
        start,
        check,
        signal: stop.signal,
        createInspector: () => createInspector(inspected, true),
      };
      const ended = await runScript(script, play, run);
      if (stop.signal.aborted) return;
      const result = judge(ended);
      if (result.outcome === "failed" && result.wire.every((line) => line.startsWith(">")))
        startMs = timeoutMs;
      played[index] = ended;
      held.push(result);
      if (!check.isOpen()) held.splice(0).forEach(onResult);
    }
  };
  const stopAll = (error: unknown): never => {
    stop.abort();
    throw error;
  };
  const workers = Array.from({ length: Math.min(jobs, scripts.length) }, () =>
    work().catch(stopAll),
  );
  const limit =
    options.maxTimeMs === undefined ? undefined : setTimeout(() => stop.abort(), options.maxTimeMs);
  // Every process has ended before an error is thrown.
  await Promise.allSettled(workers);
  clearTimeout(limit);
  await Promise.all(workers);
  held.forEach(onResult);
  const all = scripts.map((script, index) => played[index] ?? notTested(script, TIME_IS_OVER));
  return { profile, subject: options.subject, rules, ...judgeAll(all) };
}

/**
 * Returns the scripts of a profile for a subject, and their rules.
 *
 * @throws InputError for options that name no profile, several, or no script
 */
export function selectBehavior(
  options: Pick<BehaviorOptions, "subject" | "inputs" | "isTestee" | "only">,
): SelectedBehavior {
  return selectFrom(selectInput(options), options);
}

function selectInput({ subject, inputs }: Pick<BehaviorOptions, "subject" | "inputs">): Input {
  if (!SUBJECTS.includes(subject)) throw unknownName("subject", subject, SUBJECTS);
  const [input, ...others] = resolveInputs(inputs, SCHEMA);
  if (input === undefined || others.length > 0)
    throw usageError("behavior is tested on one profile", HINTS.oneProfile);
  return input;
}

function selectFrom(
  { bundle, profile }: Input,
  {
    subject,
    isTestee = subject === "client",
    only,
  }: Pick<BehaviorOptions, "subject" | "isTestee" | "only">,
): SelectedBehavior {
  const protocol = buildProtocol(bundle, profile);
  const { rules, scripts } = expandBehavior(protocol, loadBehavior(SCHEMA));
  const own = scripts.filter((script) => script.subject === subject);
  const selected = selectScripts(own, isTestee, only);
  if (selected.length === 0)
    throw usageError(
      `no script is selected for profile ${protocol.profile}`,
      own.length === 0
        ? "Scripts exist for protocol versions 1 and 2."
        : "Name a script or a rule.",
    );
  const shown = new Set(selected.map(({ rule }) => rule));
  return {
    profile: protocol.profile,
    rules: Object.fromEntries(Object.entries(rules).filter(([id]) => shown.has(id))),
    scripts: selected,
  };
}

/** What the scripts of a run share. */
interface Run {
  /** Starts a subject for one script. */
  readonly start: () => Promise<SubjectProcess>;
  readonly check: StartCheck;
  /** Ends the subjects that run when another script has thrown an error, or the time is over. */
  readonly signal: AbortSignal;
  readonly createInspector: () => Inspector;
}

/** How long the end of a process is waited for that explains its first failure, in milliseconds. */
const END_MS = 500;

async function runScript(
  script: BehaviorScript,
  { prompt, timeoutMs, startMs }: PlayOptions,
  { start, check, signal, createInspector }: Run,
): Promise<Played> {
  const started = performance.now();
  if (script.prompted && prompt === undefined) return notTested(script, NEEDS_PROMPT);
  const subject = await start();
  const end = (): void => void subject.kill();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    const { outcome, exchanged } = await playScript(script, subject, {
      timeoutMs,
      ...(startMs !== undefined && { startMs }),
      ...(prompt !== undefined && { prompt }),
    });
    if (!signal.aborted) await checkStart({ check, signal }, subject, outcome, exchanged);
    if (outcome.kind === "not-tested") return notTested(script, outcome.reason);
    const findings = findErrors(script, exchanged, createInspector());
    const hasEvidence = outcome.kind === "failed" || findings.length > 0;
    return {
      script,
      outcome,
      findings,
      seconds: Math.round(performance.now() - started) / 1000,
      errors: subject.errors,
      wire: hasEvidence ? exchanged.map(showExchanged) : [],
    };
  } finally {
    signal.removeEventListener("abort", end);
    await subject.kill();
  }
}

/** Throws OutputError for a subject that does not work at all. */
async function checkStart(
  { check, signal }: Pick<Run, "check" | "signal">,
  subject: SubjectProcess,
  { kind }: Outcome,
  exchanged: readonly Exchanged[],
): Promise<void> {
  if (!check.isOpen()) return;
  const own = exchanged.filter(({ from }) => from === "subject");
  if (own.some(({ message }) => message !== undefined)) return check.spoke();
  if (kind !== "failed") return;
  // A subject that prints without an end fills no memory in the meantime.
  subject.output("pause");
  await subject.ended(END_MS);
  // The error of another script has ended it.
  if (signal.aborted) return;
  const { end, errors } = subject;
  check.failed({ hasSpoken: own.length > 0 && end === undefined, end, errors });
}

function notTested(script: BehaviorScript, reason: string): Played {
  const outcome = { kind: "not-tested", reason } as const;
  return { script, outcome, seconds: 0, findings: [], errors: "", wire: [] };
}

/** The longest line of a recording that is shown, in characters. */
const SHOWN = 500;

function showExchanged({ from, message, text }: Exchanged): string {
  const line = message === undefined ? text! : JSON.stringify(message);
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
  return `${from === "driver" ? ">" : "<"} ${shown}`;
}

/** Returns the errors that the inspector finds in messages of the subject. */
function findErrors(
  { subject, breaks = [] }: BehaviorScript,
  exchanged: readonly Exchanged[],
  inspector: Inspector,
): readonly PlayedFinding[] {
  return findInWire(exchanged, subject, inspector, true)
    .filter(({ level, rule }) => level === "error" && !breaks.includes(rule))
    .map(({ level: _, ...finding }) => finding);
}
