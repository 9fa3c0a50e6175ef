import type { BehaviorResult, ScriptResult } from "../../run/behavior/behavior.js";
import { withoutControls } from "../../schema/controls.js";
import type { ScriptLevel } from "../../schema/source/behavior-source.js";
import { colors as pc } from "./colors.js";
import type { JUnitSuite } from "./junit.js";
import { printTable } from "./table.js";

const LEVELS: readonly ScriptLevel[] = ["must", "should"];

/** Prints the scripts that failed, a table by rule, and the totals. */
export function printBehavior(
  result: BehaviorResult,
  {
    all = false,
    wire = false,
  }: { readonly all?: boolean | undefined; readonly wire?: boolean | undefined },
): readonly string[] {
  const { scripts } = result;
  const shown = scripts.filter(({ outcome }) => all || outcome === "failed");
  return [
    ...shown.flatMap((script) => printScript(script, wire)),
    ...(shown.length === 0 ? [] : [""]),
    ...printRules(result),
    "",
    printTotals(result),
  ];
}

function printScript(script: ScriptResult, wire: boolean): readonly string[] {
  const { id, says, level, outcome, step, reason, errors } = script;
  const mark = { passed: pc.green("passed"), failed: pc.red("failed"), "not-tested": "not tested" };
  const place = step === undefined ? "" : ` at step ${step}`;
  const head = `${mark[outcome]}${place} ${pc.bold(id)} (${level}): ${says}`;
  if (outcome === "passed") return [head];
  return [
    head,
    ...(reason === undefined ? [] : [`  ${withoutControls(reason)}`]),
    ...(wire ? script.wire.map((line) => `    ${withoutControls(line)}`) : []),
    ...(errors === undefined
      ? []
      : errors
          .split("\n")
          .slice(-3)
          .map((line) => `  stderr: ${withoutControls(line)}`)),
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

/** Returns the result as JSON: the scripts, and the counts of each level. */
export function behaviorJson({ profile, subject, rules, scripts }: BehaviorResult): object {
  const counts = LEVELS.map((level) => {
    const own = scripts.filter((script) => script.level === level);
    const count = (outcome: ScriptResult["outcome"]): number =>
      own.filter((script) => script.outcome === outcome).length;
    const [passed, failed, notTested] = [count("passed"), count("failed"), count("not-tested")];
    return [level, { passed, failed, notTested }] as const;
  });
  return { profile, subject, counts: Object.fromEntries(counts), rules, scripts };
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
