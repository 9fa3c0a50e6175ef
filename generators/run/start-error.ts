import { codeOf, OutputError } from "../output/output-error.js";

const REASONS: { readonly [code: string]: string } = {
  ENOENT: "there is no such program",
  EACCES: "it is not an executable file",
};

/** Returns the error for a program that the system cannot start. */
export function startError(program: string, error: Error): OutputError {
  const code = codeOf(error);
  const isMissing = code === "ENOENT";
  const why = REASONS[code] ?? error.message;
  const hint =
    isMissing && /\s/.test(program) ? " Give the program and its arguments as separate words." : "";
  return new OutputError(`${program} cannot be started: ${why}.${hint}`);
}
