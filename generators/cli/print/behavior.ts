import {
  NEEDS_PROMPT,
  type BehaviorResult,
  type SelectedBehavior,
} from "../../tools/conformance/behavior/behavior.js";
import type { ScriptResult } from "../../tools/conformance/behavior/judge-scripts.js";
import { withoutControls } from "../../schema/controls.js";
import type { ScriptLevel } from "../../schema/source/behavior-source.js";
import { colors as pc } from "../colors.js";
import { count, cut, standardError } from "./format.js";
import type { JUnitSuite } from "./junit.js";
import { printTable } from "./table.js";

const LEVELS: readonly ScriptLevel[] = ["must", "should"];

/** The longest reason that is printed, in characters. */
const SHOWN_REASON = 1000;

interface Shown {
  /** Whether scripts that have not failed are printed, too. */
  readonly all?: boolean | undefined;
  /** Whether the messages of scripts that failed are printed. */
  readonly wire?: boolean | undefined;
}

/** Prints scripts when they end. */
export interface ScriptPrinter {
  readonly ended: (script: ScriptResult) => readonly string[];
  /** Prints the scripts of a result that were not printed before, and ends the list. */
  readonly rest: (result: BehaviorResult) => readonly string[];
}

/** Creates the printer of one run. */
export function createScriptPrinter({ all = false, wire = false }: Shown): ScriptPrinter {
  const printed = new Set<string>();
  const print = (scripts: readonly ScriptResult[]): readonly string[] =>
    scripts
      .filter(
        ({ id, outcome }) => !printed.has(`${outcome} ${id}`) && (all || outcome === "failed"),
      )
      .flatMap((script) => {
        printed.add(`${script.outcome} ${script.id}`);
        return printScript(script, wire);
      });
  return {
    ended: (script) => print([script]),
    rest: ({ scripts }) => [...print(scripts), ...(printed.size === 0 ? [] : [""])],
  };
}

/** Prints a table by rule, the totals, and why scripts were not tested. */
export function printBehavior(result: BehaviorResult): readonly string[] {
  return [
    ...printRules(result),
    "",
    printTotals(result),
    ...printCommon(result),
    ...printUntested(result),
  ];
}

/** Prints a line for each error in the beginning that several scripts have met. */
function printCommon({ common }: BehaviorResult): readonly string[] {
  return common.map(({ method, rule, path, message, scripts, script }) => {
    const place = `${method}, in ${count(scripts, "script")}`;
    const counted = script === undefined ? "" : `; it fails ${script} only`;
    return cut(
      `${place}: ${path || "as a whole"}: ${message} (rule ${rule})${counted}`,
      SHOWN_REASON,
    );
  });
}

function printScript(script: ScriptResult, wire: boolean): readonly string[] {
  const { id, says, level, outcome, step, reason, errors } = script;
  const mark = { passed: pc.green("passed"), failed: pc.red("failed"), "not-tested": "not tested" };
  const place = step === undefined ? "" : ` at step ${step}`;
  const head = `${mark[outcome]}${place} ${pc.bold(id)} (${level}): ${says}`;
  if (outcome === "passed") return [head];
  return [
    head,
    ...(reason === undefined ? [] : [`  ${cut(reason, SHOWN_REASON)}`]),
    ...(wire ? script.wire.map((line) => `    ${withoutControls(line)}`) : []),
    ...standardError(errors),
  ];
}

/** Prints a row for each rule: what passed of each level, and where the rule stands. */
function printRules({ profile, rules, scripts }: BehaviorResult): readonly string[] {
  const rows = Object.entries(rules)
    .map(([id, { page }]) => ({ id, page, own: scripts.filter(({ rule }) => rule === id) }))
    .filter(({ own }) => own.length > 0)
    .map(({ id, page, own }) => [
      id,
      ...LEVELS.map((level) => share(own.filter((script) => script.level === level))),
      String(own.filter(({ outcome }) => outcome === "not-tested").length || "."),
      `${profile}/${page}`,
    ]);
  return printTable([["rule", "must", "should", "not tested", "page"], ...rows], [0, 4]);
}

/** Says how many of the scripts that were tested have passed. */
function share(scripts: readonly ScriptResult[]): string {
  const tested = scripts.filter(({ outcome }) => outcome !== "not-tested");
  if (tested.length === 0) return ".";
  const passed = tested.filter(({ outcome }) => outcome === "passed");
  return `${passed.length} of ${tested.length}`;
}

function printTotals({ profile, subject, scripts }: BehaviorResult): string {
  const levels = LEVELS.map((level) => {
    const text = share(scripts.filter((script) => script.level === level));
    return text === "." ? undefined : `${level} ${text}`;
  }).filter((text) => text !== undefined);
  const untested = scripts.filter(({ outcome }) => outcome === "not-tested").length;
  const rest = untested === 0 ? "" : `, ${untested} not tested`;
  return `${profile}, ${subject}: ${levels.join(", ") || "nothing was tested"}${rest}`;
}

/** Prints each reason for which scripts were not tested, with their number. */
function printUntested({ scripts }: BehaviorResult): readonly string[] {
  const reasons = scripts
    .filter(({ outcome }) => outcome === "not-tested")
    .map(({ reason = "not tested" }) => reason);
  return [...new Set(reasons)].map((reason) => {
    const number = count(reasons.filter((other) => other === reason).length, "script");
    const hint = reason === NEEDS_PROMPT ? '; give one with --prompt "Say hello."' : "";
    return `${number} not tested: ${withoutControls(reason)}${hint}`;
  });
}

/** Prints a row for each script: what it requires of the subject, its rule and its sentence. */
export function printScripts({ scripts }: SelectedBehavior): readonly string[] {
  const rows = scripts.map(({ id, level, rule, testee, prompted, says }) => [
    id,
    level,
    rule,
    testee ? "testee" : prompted ? "prompt" : ".",
    says,
  ]);
  return printTable([["script", "level", "rule", "requires", "shows"], ...rows], [0, 1, 2, 3, 4]);
}

/** Returns the scripts without their steps as JSON. */
export function scriptsJson({ profile, rules, scripts }: SelectedBehavior): object {
  const shown = scripts.map(({ id, says, rule, level, testee, prompted = false }) => ({
    id,
    says,
    rule,
    level,
    testee,
    prompted,
  }));
  return { profile, rules, scripts: shown };
}

/** Returns the result as JSON: the scripts, and the counts of each level and rule. */
export function behaviorJson({ profile, subject, rules, common, scripts }: BehaviorResult): object {
  const counts = LEVELS.map(
    (level) => [level, countOutcomes(scripts.filter((script) => script.level === level))] as const,
  );
  const counted = Object.entries(rules).map(([id, rule]) => {
    const own = scripts.filter((script) => script.rule === id);
    return [id, { ...rule, ...countOutcomes(own) }] as const;
  });
  return {
    profile,
    subject,
    counts: Object.fromEntries(counts),
    rules: Object.fromEntries(counted),
    common,
    scripts,
  };
}

function countOutcomes(scripts: readonly ScriptResult[]): object {
  const countOf = (outcome: ScriptResult["outcome"]): number =>
    scripts.filter((script) => script.outcome === outcome).length;
  return {
    passed: countOf("passed"),
    failed: countOf("failed"),
    notTested: countOf("not-tested"),
  };
}

/** Returns the scripts as the cases of a JUnit report. */
export function behaviorSuite({ profile, subject, scripts }: BehaviorResult): JUnitSuite {
  return {
    name: `${profile}, ${subject}`,
    cases: scripts.map(({ id, says, rule, level, outcome, reason, step, seconds, errors }) => ({
      name: `${id}: ${says}`,
      classname: `${rule} (${level})`,
      seconds,
      ...(outcome === "failed" && {
        failure: [`step ${step ?? "-"}: ${reason}`, ...(errors === undefined ? [] : [errors])].join(
          "\n",
        ),
      }),
      ...(outcome === "not-tested" && { skipped: reason ?? "not tested" }),
    })),
  };
}
