import { availableParallelism } from "node:os";
import { expandBehavior } from "../../emit/behavior/expand.js";
import type { Behavior, Script } from "../../emit/behavior/script.js";
import { buildProtocol } from "../../model/build/build.js";
import { OutputError } from "../../output/output-error.js";
import type { ScriptLevel, Subject } from "../../schema/source/behavior-source.js";
import { loadBehavior } from "../../schema/source/load-behavior.js";
import { loadTemplates } from "../inputs/load-templates.js";
import { resolveInputs } from "../inputs/select-profiles.js";
import type { Finding, Inspector, Side } from "../inspect/inspector-api.js";
import { loadInspector, loadProfile } from "../inspect/load-inspector.js";
import { SCHEMA } from "../installation.js";
import { unknownName, usageError } from "../messages.js";
import type { Selection } from "../options.js";
import { playScript, type Exchanged, type Outcome, type PlayOptions } from "./play-script.js";
import { startSubject } from "./subject-process.js";

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
  /** Plays the scripts with these ids or rules, or whose ids contain these texts; all when absent. */
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
  /** The rules of the scripts, with their titles and pages. */
  readonly rules: Behavior["rules"];
  readonly scripts: readonly ScriptResult[];
}

const TIMEOUT_MS = 5000;

const SUBJECTS: readonly Subject[] = ["agent", "client"];

/**
 * Plays the behavior corpus of a profile with an agent or a client, which is started anew for each
 * script. Besides the steps of the script, every message of the subject is checked as `inspect`
 * does; an error fails the script.
 *
 * @param onResult called for each script when it has ended
 * @returns the results in the order of the corpus
 * @throws InputError for options that name no profile, several, or no script; OutputError when the
 *   command cannot be started
 */
export async function testBehavior(
  options: BehaviorOptions,
  onResult: (result: ScriptResult) => void = () => {},
): Promise<BehaviorResult> {
  const { inputs, subject, isTestee = subject === "client" } = options;
  const { jobs = availableParallelism(), timeoutMs = TIMEOUT_MS, command } = options;
  if (!SUBJECTS.includes(subject)) throw unknownName("subject", String(subject), SUBJECTS);
  if (!Array.isArray(command) || !command[0])
    throw usageError("no command is given", "Give a program and its arguments, as a list.");
  const [input, ...others] = resolveInputs(inputs, SCHEMA);
  if (input === undefined || others.length > 0)
    throw usageError("behavior is tested on one profile", "Give one --profile.");
  const protocol = buildProtocol(input.bundle, input.profile);
  const { rules, scripts } = expandBehavior(protocol, loadBehavior(SCHEMA));
  const own = scripts.filter(
    (script) => script.subject === subject && (isTestee || !script.testee),
  );
  const selected = select(own, options.only);
  const templates = loadTemplates(input.sources);
  const [{ createInspector }, profile] = await Promise.all([
    loadInspector(templates),
    loadProfile(input, templates),
  ]);
  const results: ScriptResult[] = [];
  const queue = selected.entries();
  // A subject that has said nothing for the time of a start is not given that time again.
  let startMs: number | undefined;
  const work = async (): Promise<void> => {
    for (const [index, script] of queue) {
      const play = { ...options, timeoutMs, ...(startMs !== undefined && { startMs }) };
      const result = await runScript(script, play, () => createInspector(profile, true));
      if (result.outcome === "failed" && result.wire.every((line) => line.startsWith(">")))
        startMs = timeoutMs;
      results[index] = result;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return { profile: protocol.profile, subject, rules, scripts: results };
}

/** Returns the scripts whose id or rule contains one of some texts. */
function select(scripts: readonly Script[], only: readonly string[] | undefined): Script[] {
  if (only === undefined) return [...scripts];
  const all = new Set(scripts.map(({ id }) => id));
  for (const text of only)
    if (!scripts.some((script) => isNamed(script, text, all)))
      throw unknownName("script", text, [
        ...new Set(scripts.flatMap(({ id, rule }) => [id, rule])),
      ]);
  return scripts.filter((script) => only.some((text) => isNamed(script, text, all)));
}

/** Returns whether a text is the whole id of a script or its rule, or a part of the id that is no other's whole. */
function isNamed({ id, rule }: Script, text: string, ids: ReadonlySet<string>): boolean {
  return id === text || rule === text || (id.includes(text) && !ids.has(text));
}

async function runScript(
  script: Script,
  { command, prompt, timeoutMs, startMs }: BehaviorOptions & PlayOptions,
  createInspector: () => Inspector,
): Promise<ScriptResult> {
  const { id, says, rule, level } = script;
  const started = performance.now();
  if (script.prompted && prompt === undefined) return notTested(script, "it needs --prompt");
  const subject = await start(command);
  try {
    const { outcome, exchanged } = await playScript(script, subject, {
      timeoutMs,
      ...(startMs !== undefined && { startMs }),
      ...(prompt !== undefined && { prompt }),
    });
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
    await subject.kill();
  }
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

async function start(command: readonly string[]): ReturnType<typeof startSubject> {
  try {
    return await startSubject(command);
  } catch (error) {
    throw new OutputError(`${command[0]} cannot be started: ${(error as Error).message}.`);
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
