import { wordsOf } from "../../model/parts/words.js";
import { usageError } from "../messages.js";

/** The names of a project in a language that does not use npm. */
export interface ProjectName {
  /** The name to install it by. */
  readonly distribution: string;
  /** The name to import it by. */
  readonly module: string;
}

/** The names in the files of such a starter; those of the project replace them. */
export const STARTER_NAME: ProjectName = { distribution: "starter", module: "echo_agent" };

/**
 * Returns the names of a project: letters, digits and hyphens to install it, and words with
 * underscores to import it. A single word is not one of them: it may be a keyword, or a module of the
 * language.
 *
 * @param name the name that was chosen, or that of a folder, whose other characters become hyphens
 * @throws InputError for a name without letters and digits of ASCII
 */
export function projectName(name: string): ProjectName {
  const distribution = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[._-]+|[._-]+$/g, "");
  if (distribution === "")
    throw usageError(
      `${JSON.stringify(name)} is not a name for a project`,
      "Choose one with --name: letters, digits, hyphens.",
    );
  const words = wordsOf(distribution);
  const named = words.length === 1 ? [...words, "agent"] : words;
  return {
    distribution,
    module: (/^[a-z]/.test(named[0]!) ? named : ["agent", ...named]).join("_"),
  };
}
