import { availableParallelism } from "node:os";
import { expandBehavior } from "../../../emit/behavior/expand.js";
import type { ScriptedBehavior, Script } from "../../../emit/behavior/script.js";
import { buildProtocol } from "../../../model/build/build.js";
import type { ScriptLevel, Subject } from "../../../schema/source/behavior-source.js";
import { loadBehavior } from "../../../schema/source/load-behavior.js";
import { loadTemplates } from "../../../run/inputs/load-templates.js";
import type { Input } from "../../../run/inputs/input.js";
import { resolveInputs } from "../../../run/inputs/select-profiles.js";
import type { Finding, Inspector, Side } from "../../inspect/inspector-api.js";
import { loadInspector, loadProfile } from "../../inspect/load-inspector.js";
import { SCHEMA } from "../../../run/installation.js";
import { checkOptions, OPTION, type OptionRules } from "../../../run/check-options.js";
import { checkSelection, INPUTS } from "../../../run/check-selection.js";
import { HINTS } from "../../../run/hints.js";
import { unknownName, usageError } from "../../../run/messages.js";
import type { Selection } from "../../../run/options.js";
import { startError } from "../../../run/start-error.js";
import { playScript, type Exchanged, type Outcome, type PlayOptions } from "./play-script.js";
import { selectScripts } from "./select-scripts.js";
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
}

/** The result of one script. */
export interface ScriptResult {
  readonly id: string;
  readonly says: string;
  readonly rule: string;
  readonly level: ScriptLevel;
  readonly outcome: Outcome["kind"];
  /** Why it failed or was not tested. */
  readonly reason?: string;
  /** The step that failed, from 1 on. */
  readonly step?: number;
  readonly seconds: number;
  /** Errors of the inspector in messages of the subject. */
  readonly findings: readonly WireFinding[];
  /** The end of the standard error of a subject that failed. */
  readonly errors?: string;
  /** The lines of a script that failed, each with its sender; shortened. */
  readonly wire: readonly string[];
}

/** An error in a message of the subject. */
export interface WireFinding {
  readonly rule: string;
  readonly path: string;
  readonly message: string;
}

export interface BehaviorResult {
  readonly profile: string;
  readonly subject: Subject;
  /** The rules of the scripts that were selected, with their titles and pages. */
  readonly rules: ScriptedBehavior["rules"];
  readonly scripts: readonly ScriptResult[];
}

/** Scripts that can be played with a subject. */
export interface SelectedBehavior extends ScriptedBehavior {
  readonly profile: string;
}

const RULES: OptionRules<BehaviorOptions> = {
  subject: { ...OPTION.text, isRequired: true },
  inputs: INPUTS,
  command: { ...OPTION.texts, isRequired: true },
  isTestee: OPTION.flag,
  prompt: OPTION.text,
  only: OPTION.texts,
  timeoutMs: OPTION.time,
  jobs: OPTION.count,
};

/** Why a script with a turn is not tested without a prompt. */
export const NEEDS_PROMPT = "it needs a prompt";

const TIMEOUT_MS = 5000;

const SUBJECTS: readonly Subject[] = ["agent", "client"];

/**
 * Plays the behavior corpus of a profile with an agent or a client, which is started anew for each
 * script. Besides the steps of the script, every message of the subject is checked as `inspect`
 * does; an error fails the script.
 *
 * @param onResult called for each script when it has ended
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
  const { command } = options;
  if (!command[0]?.trim())
    throw usageError("no command is given", "Give a program and its arguments, as a list.");
  return playBehavior(options, () => startCommand(command), onResult);
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
  const results: ScriptResult[] = [];
  const queue = scripts.entries();
  const check = createStartCheck(options.command[0]!.trim());
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
      const result = await runScript(script, play, run);
      if (stop.signal.aborted) return;
      if (result.outcome === "failed" && result.wire.every((line) => line.startsWith(">")))
        startMs = timeoutMs;
      results[index] = result;
      onResult(result);
    }
  };
  const stopAll = (error: unknown): never => {
    stop.abort();
    throw error;
  };
  const workers = Array.from({ length: Math.min(jobs, scripts.length) }, () =>
    work().catch(stopAll),
  );
  // Every process has ended before an error is thrown.
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return { profile, subject: options.subject, rules, scripts: results };
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
  /** Ends the subjects that run when another script has thrown an error. */
  readonly signal: AbortSignal;
  readonly createInspector: () => Inspector;
}

/** How long the end of a process is waited for that explains its first failure, in milliseconds. */
const END_MS = 500;

async function runScript(
  script: Script,
  { prompt, timeoutMs, startMs }: PlayOptions,
  { start, check, signal, createInspector }: Run,
): Promise<ScriptResult> {
  const { id, says, rule, level } = script;
  const started = performance.now();
  if (script.prompted && prompt === undefined) return notTested(script, NEEDS_PROMPT);
  const subject = await start();
  const end = (): void => void subject.kill();
  signal.addEventListener("abort", end);
  try {
    const { outcome, exchanged } = await playScript(script, subject, {
      timeoutMs,
      ...(startMs !== undefined && { startMs }),
      ...(prompt !== undefined && { prompt }),
    });
    if (!signal.aborted) await checkStart(check, subject, outcome, exchanged);
    if (outcome.kind === "not-tested") return notTested(script, outcome.reason);
    const findings = findErrors(script, exchanged, createInspector());
    const hasFailed =
      outcome.kind === "failed" || (outcome.kind === "passed" && findings.length > 0);
    return {
      id,
      says,
      rule,
      level,
      outcome: hasFailed ? "failed" : outcome.kind,
      ...("step" in outcome && { step: outcome.step }),
      ...("reason" in outcome
        ? { reason: outcome.reason }
        : hasFailed && { reason: describeFinding(findings[0]!) }),
      ...(hasFailed && subject.errors !== "" && { errors: subject.errors }),
      seconds: Math.round(performance.now() - started) / 1000,
      findings,
      wire: hasFailed ? exchanged.map(showExchanged) : [],
    };
  } finally {
    signal.removeEventListener("abort", end);
    await subject.kill();
  }
}

/** Throws OutputError for a subject that does not work at all. */
async function checkStart(
  check: StartCheck,
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
  const { end, errors } = subject;
  check.failed({ hasSpoken: own.length > 0 && end === undefined, end, errors });
}

function describeFinding({ rule, path, message }: WireFinding): string {
  return `in a message of the subject, ${path || "as a whole"}: ${message} (rule ${rule})`;
}

function notTested({ id, says, rule, level }: Script, reason: string): ScriptResult {
  const outcome = "not-tested";
  return { id, says, rule, level, outcome, reason, seconds: 0, findings: [], wire: [] };
}

/** The longest line of a recording that is shown, in characters. */
const SHOWN = 500;

function showExchanged({ from, message, text }: Exchanged): string {
  const line = message === undefined ? text! : JSON.stringify(message);
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
  return `${from === "driver" ? ">" : "<"} ${shown}`;
}

async function startCommand(command: readonly string[]): Promise<SubjectProcess> {
  try {
    return await startSubject(command);
  } catch (error) {
    throw startError(command[0]!, error as Error);
  }
}

/** Returns the errors that the inspector finds in messages of the subject. */
function findErrors(
  { subject, breaks = [] }: Script,
  exchanged: readonly Exchanged[],
  inspector: Inspector,
): WireFinding[] {
  const other: Side = subject === "agent" ? "client" : "agent";
  const own = new Set<number>();
  const found: WireFinding[] = [];
  const add = ({
    level,
    rule,
    path = "",
    message,
  }: Omit<Finding, "path"> & { path?: string }): void => {
    if (level === "error" && !breaks.includes(rule)) found.push({ rule, path, message });
  };
  exchanged.forEach(({ from, message }, index) => {
    if (message === undefined) return;
    const isOwn = from === "subject";
    if (isOwn) own.add(index);
    const side = isOwn ? subject : other;
    const { findings, violations } = inspector.inspect({ message, from: side }, index);
    if (isOwn) findings.forEach(add);
    violations.filter(({ line }) => own.has(line)).forEach(add);
  });
  inspector
    .end()
    .filter(({ line }) => own.has(line))
    .forEach(add);
  return found;
}
