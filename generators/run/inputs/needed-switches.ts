import { isAllowedForm } from "../../schema/import/allowed-forms.js";
import { InputError, shellWord, type Problem } from "../../schema/problem.js";
import type { Selection } from "../options.js";

/** The options that make an import accept what it refuses otherwise. */
export type Switches = Required<Pick<Selection, "allow" | "allowUnknownKeywords">>;

/** With each switch, the parts that it opens up may need others. */
const MOST_RUNS = 4;

/**
 * Returns the problem that names all switches that a schema needs, ready to use; undefined where it
 * needs none, or the one that the only problem names.
 *
 * @param attempt imports the schema with other switches
 */
export function neededSwitches(
  file: string,
  problems: readonly Problem[],
  given: Partial<Switches>,
  attempt: (switches: Switches) => void,
): Problem | undefined {
  const start = { allow: [], allowUnknownKeywords: [], ...given };
  let [switches, left]: [Switches, readonly Problem[]] = [start, problems];
  for (let run = 0; run < MOST_RUNS && left.length > 0; run++) {
    const named = withNamed(switches, left);
    if (named === undefined) break;
    switches = named;
    left = problemsOf(() => attempt(named));
  }
  if (switches === start || (problems.length === 1 && left.length === 0)) return undefined;
  const { allow, allowUnknownKeywords: ignored } = switches;
  const flags = [
    ...(allow.length > 0 ? [`--allow ${allow.join(",")}`] : []),
    ...(ignored.length > 0 ? [`--allow-unknown-keywords ${shellWord(ignored.join(","))}`] : []),
  ];
  const options = {
    ...(allow.length > 0 && { allow }),
    ...(ignored.length > 0 && { allowUnknownKeywords: ignored }),
  };
  const what =
    left.length === 0 ? "all of this is accepted" : `all but ${left.length} of this is accepted`;
  return {
    file,
    message: `${what} with ${flags.join(" ")}`,
    hint: `In a configuration: ${JSON.stringify(options).slice(1, -1)}.`,
  };
}

/** Adds the switch that each problem has; undefined where none is new. */
export function withNamed(switches: Switches, problems: readonly Problem[]): Switches | undefined {
  const named = problems.flatMap(({ accepts }) => accepts ?? []);
  const allow = named.flatMap((one) => ("allow" in one ? one.allow : [])).filter(isAllowedForm);
  const ignored = named.flatMap((one) => ("ignore" in one ? one.ignore : []));
  const more = {
    allow: [...new Set([...switches.allow, ...allow])],
    allowUnknownKeywords: [...new Set([...switches.allowUnknownKeywords, ...ignored])],
  };
  const isSame =
    more.allow.length === switches.allow.length &&
    more.allowUnknownKeywords.length === switches.allowUnknownKeywords.length;
  return isSame ? undefined : more;
}

function problemsOf(run: () => void): readonly Problem[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}
