import type { BehaviorScript } from "../../../emit/behavior/script.js";
import type { ScriptLevel } from "../../../schema/source/behavior-source.js";
import type { Outcome } from "./play-script.js";

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
  /** Errors of the inspector in messages of the subject, without those that fail another script. */
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

/** An error in `initialize` or `session/new` that several scripts have met. */
export interface CommonFinding extends WireFinding {
  readonly method: string;
  /** The number of scripts that have met it. */
  readonly scripts: number;
  /** The script that it fails; absent when each of them fails in a step. */
  readonly script?: string;
}

/** An error in a message of the subject, with the method that the message calls or answers. */
export interface PlayedFinding extends WireFinding {
  readonly method: string | undefined;
}

/** A script that was played, before it is judged. */
export interface Played {
  readonly script: BehaviorScript;
  readonly outcome: Outcome;
  readonly seconds: number;
  readonly findings: readonly PlayedFinding[];
  readonly errors: string;
  readonly wire: readonly string[];
}

/** The methods with which scripts begin, and the rules whose scripts test them. */
const BEGINNING: { readonly [method: string]: string } = {
  initialize: "handshake",
  "session/new": "sessions",
};

/** Judges a script by its steps and by errors in its messages, except for its beginning. */
export function judge(
  { script, outcome, findings: all, seconds, errors, wire }: Played,
  common: readonly WireFinding[] = [],
): ScriptResult {
  const { id, says, rule, level } = script;
  const own = all.filter((finding) => !isCommon(finding));
  const findings = [...common, ...own].map(({ rule, path, message }) => ({ rule, path, message }));
  const isFaulty = outcome.kind === "passed" && findings.length > 0;
  const hasFailed = outcome.kind === "failed" || isFaulty;
  return {
    id,
    says,
    rule,
    level,
    outcome: hasFailed ? "failed" : outcome.kind,
    ...("step" in outcome && { step: outcome.step }),
    ...("reason" in outcome && { reason: outcome.reason }),
    ...(isFaulty && { reason: describeFinding(findings[0]!) }),
    ...(hasFailed && errors !== "" && { errors }),
    seconds,
    findings,
    wire: hasFailed ? wire : [],
  };
}

/**
 * Judges the scripts of a run. An error in the beginning fails one script: the first that tests its
 * method and passes otherwise, or else the first that passes otherwise.
 */
export function judgeAll(all: readonly Played[]): {
  readonly common: readonly CommonFinding[];
  readonly scripts: readonly ScriptResult[];
} {
  const met = new Map<string, { finding: PlayedFinding; by: Set<Played> }>();
  for (const played of all)
    for (const finding of played.findings.filter(isCommon)) {
      const key = JSON.stringify(finding);
      if (!met.has(key)) met.set(key, { finding, by: new Set() });
      met.get(key)!.by.add(played);
    }
  const failed = new Map<Played, PlayedFinding[]>();
  const common = [...met.values()].flatMap(({ finding, by }): readonly CommonFinding[] => {
    const passed = [...by].filter((played) => judge(played).outcome === "passed");
    const testing = passed.find(({ script }) => script.rule === BEGINNING[finding.method!]);
    const owner = testing ?? passed[0];
    if (owner !== undefined) failed.set(owner, [...(failed.get(owner) ?? []), finding]);
    if (by.size === 1) return [];
    const script = owner?.script.id;
    return [{ ...finding, method: finding.method!, scripts: by.size, ...(script && { script }) }];
  });
  return { common, scripts: all.map((played) => judge(played, failed.get(played))) };
}

function isCommon({ method }: PlayedFinding): boolean {
  return method !== undefined && Object.hasOwn(BEGINNING, method);
}

function describeFinding({ rule, path, message }: WireFinding): string {
  return `in a message of the subject, ${path || "as a whole"}: ${message} (rule ${rule})`;
}
