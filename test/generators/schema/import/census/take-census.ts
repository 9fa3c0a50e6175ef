import { join } from "node:path";
import { buildProtocol } from "../../../../../generators/model/build/build.js";
import { importInput } from "../../../../../generators/run/inputs/import-schema.js";
import type { Input } from "../../../../../generators/run/inputs/input.js";
import { isAllowedForm } from "../../../../../generators/schema/import/allowed-forms.js";
import { InputError, type Problem } from "../../../../../generators/schema/problem.js";
import { ROOT } from "../../../../support/paths.js";

/** The switches of an import, as a configuration has them. */
export interface Switches {
  readonly allow: readonly string[];
  readonly allowUnknownKeywords: readonly string[];
}

/** What becomes of a schema when the switches that messages name are followed. */
export interface Census {
  readonly outcome: "accepted" | "switched" | "refused";
  readonly switches: Switches;
  /** The messages of what no switch takes, without what differs from schema to schema. */
  readonly causes: readonly string[];
  readonly input?: Input;
}

/** The greatest number of runs: each may name further switches. */
const MOST_RUNS = 4;

/** Imports a schema, with the switches that the messages of each run name. */
export function takeCensus(file: string): Census {
  let switches: Switches = { allow: [], allowUnknownKeywords: [] };
  for (let run = 0; ; run++) {
    const result = importWith(file, switches);
    if (!Array.isArray(result))
      return {
        outcome: run === 0 ? "accepted" : "switched",
        switches,
        causes: [],
        input: result as Input,
      };
    const problems = result as readonly Problem[];
    const named = withNamed(switches, problems);
    const isSame = JSON.stringify(named) === JSON.stringify(switches);
    if (isSame || run === MOST_RUNS)
      return { outcome: "refused", switches, causes: causesOf(problems) };
    switches = named;
  }
}

function importWith(file: string, switches: Switches): Input | readonly Problem[] {
  try {
    const input = importInput(
      { protocol: "v1", name: "v1", ...switches } as Parameters<typeof importInput>[0],
      file,
      join(ROOT, "schema"),
    );
    buildProtocol(input.bundle, input.profile);
    return input;
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

/** Adds the switches that hints name; of several, the first. */
function withNamed(switches: Switches, problems: readonly Problem[]): Switches {
  const named = (option: string): string[] =>
    problems.flatMap(({ hint = "" }) => {
      const [, value] = new RegExp(`--${option} ([^\\s,;:]+?)[,;:.]?(\\s|$)`).exec(hint) ?? [];
      return value === undefined ? [] : [value];
    });
  const forms = named("allow").filter(isAllowedForm);
  return {
    allow: [...new Set([...switches.allow, ...forms])],
    allowUnknownKeywords: [
      ...new Set([...switches.allowUnknownKeywords, ...named("allow-unknown-keywords")]),
    ],
  };
}

function causesOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ message }) => message.replaceAll(/"[^"]*"/g, "…"));
}
