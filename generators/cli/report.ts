import { relative } from "node:path";
import { colors as pc } from "./colors.js";
import { OutputError } from "../output/write.js";
import { formatProblem, InputError } from "../schema/problem.js";
import type { GenerateResult, Step } from "./generate.js";

/** Exit codes of the command. */
export const ExitCode = { done: 0, no: 1, usage: 2, environment: 3 } as const;

/** Says what a step has done. */
export function reportStep(step: Step): void {
  switch (step.kind) {
    case "built": {
      const { profile, definitions, methods } = step.protocol;
      say(`${pc.bold(profile)}: ${definitions.length} definitions, ${methods.length} methods`);
      return;
    }
    case "compiled":
      say(`${step.files} files compiled`);
      return;
    default:
      step satisfies never;
  }
}

/** Says what a run has changed. */
export function reportWritten(result: GenerateResult, seconds: number): void {
  const { write, remove, unchanged } = result;
  const counts = `${write.length} written, ${remove.length} removed, ${unchanged} unchanged`;
  say(`${pc.green("done")}: ${counts} in ${displayPath(result.out)} (${seconds.toFixed(1)} s)`);
}

/** Says how the output differs from what would be generated. */
export function reportDrift(result: GenerateResult): void {
  const place = displayPath(result.out);
  if (result.write.length + result.remove.length === 0) {
    say(`${pc.green("up to date")}: ${result.unchanged} files in ${place}`);
    return;
  }
  const rows = [
    ...result.write.map(({ file, exists }) => `  ${exists ? "changed" : "missing"}  ${file.path}`),
    ...result.remove.map((path) => `  extra    ${path}`),
  ];
  complain(`${pc.red("stale")}: ${place} is not what the schema generates\n${rows.join("\n")}`);
  complain(`Run ${pc.bold("npm run generate")} (or acp-codegen generate) and commit the result.`);
}

/**
 * Says what went wrong, without a stack trace where it is not our mistake.
 *
 * @returns the exit code
 */
export function reportError(error: unknown): number {
  if (error instanceof InputError) {
    for (const problem of error.problems) complain(`${pc.red("error")}: ${formatProblem(problem)}`);
    return error.kind === "usage" ? ExitCode.usage : ExitCode.no;
  }
  if (error instanceof OutputError) {
    complain(`${pc.red("error")}: ${error.message}`);
    return ExitCode.environment;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  complain(`${pc.red("error")}: ${message}\nThis is a mistake in acp-codegen; please report it.`);
  if (process.env["DEBUG"] && stack !== undefined) complain(stack);
  return ExitCode.no;
}

function displayPath(path: string): string {
  return relative(process.cwd(), path) || ".";
}

/** Prints a line on standard output. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
