import type { BehaviorScript } from "../../../emit/behavior/script.js";
import { InputError, nearest, type Problem } from "../../../schema/problem.js";
import { HINTS } from "../../../run/hints.js";

/**
 * Returns the scripts that some texts name: a rule names its scripts, an id its script, and any
 * other text the scripts whose ids contain it.
 *
 * @param scripts all scripts of a subject
 * @param isTestee whether those for testees can be played
 * @param only the texts; all scripts when absent
 * @throws InputError for the texts that name no script, or scripts for testees only
 */
export function selectScripts(
  scripts: readonly BehaviorScript[],
  isTestee: boolean,
  only: readonly string[] | undefined,
): readonly BehaviorScript[] {
  const playable = scripts.filter(({ testee }) => isTestee || !testee);
  if (only === undefined) return playable;
  const whole = new Set(scripts.flatMap(({ id, rule }) => [id, rule]));
  const problems = only.flatMap((text): readonly Problem[] => {
    const named = scripts.filter((script) => isNamed(script, text, whole));
    if (named.length === 0) return [describeUnknown(text, scripts)];
    if (named.some((script) => playable.includes(script))) return [];
    return [{ message: `"${text}" names scripts for testees only`, hint: HINTS.testee }];
  });
  if (problems.length > 0) throw new InputError(problems, "usage");
  return playable.filter((script) => only.some((text) => isNamed(script, text, whole)));
}

/** @param whole all ids and rules, which do not count as parts of other ids */
function isNamed({ id, rule }: BehaviorScript, text: string, whole: ReadonlySet<string>): boolean {
  return whole.has(text) ? id === text || rule === text : id.includes(text);
}

function describeUnknown(text: string, scripts: readonly BehaviorScript[]): Problem {
  const names = scripts.flatMap(({ id, rule }) => [id, id.slice(id.indexOf("/") + 1), rule]);
  const near = nearest(text, names);
  const hint = near === undefined ? HINTS.scripts : `Did you mean "${near}"? ${HINTS.scripts}`;
  return { message: `no script and no rule is named "${text}"`, hint };
}
