import { isPythonKeyword } from "../../emit/python/names.js";
import { wordsOf } from "../../model/parts/words.js";
import { usageError } from "../messages.js";

/** The names of a Python project. */
export interface PythonName {
  /** The name to install it by. */
  readonly distribution: string;
  /** The name to import it by. */
  readonly module: string;
}

/**
 * Returns the names of a Python project, by the rules of PyPI and of imports.
 *
 * @param name the name that was chosen, or that of a folder, whose other characters become hyphens
 * @throws InputError for a name without letters and digits of ASCII
 */
export function pythonName(name: string): PythonName {
  const distribution = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[._-]+|[._-]+$/g, "");
  if (distribution === "")
    throw usageError(
      `${JSON.stringify(name)} is not a name for a Python project`,
      "Choose one with --name: letters, digits, hyphens.",
    );
  const words = wordsOf(distribution).join("_");
  const isFree = /^[a-z]/.test(words) && !isPythonKeyword(words);
  return { distribution, module: isFree ? words : `agent_${words}` };
}
