import { codeOf, OutputError } from "../output/output-error.js";

/** Returns the error for a program that the system cannot start. */
export function startError(program: string, error: Error): OutputError {
  const isMissing = codeOf(error) === "ENOENT";
  const why = isMissing ? "there is no such program" : error.message;
  const hint =
    isMissing && /\s/.test(program) ? " Give the program and its arguments as separate words." : "";
  return new OutputError(`${program} cannot be started: ${why}.${hint}`);
}
