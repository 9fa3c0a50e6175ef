import { join } from "node:path";
import { buildProtocol } from "../../../../../generators/model/build/build.js";
import { importInput } from "../../../../../generators/run/inputs/import-schema.js";
import { withNamed, type Switches } from "../../../../../generators/run/inputs/needed-switches.js";
import { InputError, type Problem } from "../../../../../generators/schema/problem.js";
import { ROOT } from "../../../../support/paths.js";

/** What becomes of a schema when the switches that messages name are followed. */
export interface Census {
  readonly outcome: "accepted" | "switched" | "refused";
  readonly switches: Switches;
  /** The messages about what no switch accepts. */
  readonly messages: readonly string[];
}

/** Imports a schema, with the switches that the messages of each run name. */
export function takeCensus(file: string): Census {
  let switches: Switches = { allow: [], allowUnknownKeywords: [] };
  for (let run = 0; ; run++) {
    const problems = problemsOf(file, switches);
    if (problems.length === 0)
      return { outcome: run === 0 ? "accepted" : "switched", switches, messages: [] };
    const named = withNamed(switches, problems);
    if (named === undefined) {
      const messages = problems.map(({ message }) => message);
      return { outcome: "refused", switches, messages };
    }
    switches = named;
  }
}

function problemsOf(file: string, switches: Switches): readonly Problem[] {
  try {
    const options = { protocol: "v1", name: "v1", ...switches };
    const { bundle, profile } = importInput(options, file, join(ROOT, "schema"));
    buildProtocol(bundle, profile);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}
