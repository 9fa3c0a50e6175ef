import { OutputError, systemError } from "../../output/output-error.js";
import { withoutControls } from "../../schema/controls.js";
import { firstProblems, formatProblem, InputError } from "../../schema/problem.js";
import { locateProblems } from "../../schema/source/locate-problems.js";
import { ExitCode } from "../context.js";
import { annotationOf } from "../annotations.js";
import { errorColors } from "../colors.js";
import { cut } from "./format.js";
import type { Terminal } from "../terminal.js";

/** The longest detail of an error that is printed, in characters. */
const SHOWN = 200;

const DEBUG_HINT = "Set DEBUG=1 to print the stack trace.";

/**
 * Prints an error, without a stack trace for errors of the user.
 *
 * @returns the exit code
 */
export function reportError(thrown: unknown, { writeErr, annotate }: Terminal): number {
  const error = systemError(thrown) ?? thrown;
  const red = errorColors.red("error");
  const isDebug = Boolean(process.env["DEBUG"]);
  if (error instanceof InputError) {
    const located = locateProblems(firstProblems(error.problems));
    for (const problem of located) writeErr(`${red}: ${formatProblem(problem)}`);
    annotate(located.map(annotationOf));
    const stack = error.cause instanceof Error ? error.cause.stack : undefined;
    if (stack !== undefined) writeErr(isDebug ? stack : DEBUG_HINT);
  } else if (error instanceof OutputError) {
    writeErr(`${red}: ${withoutControls(error.message)}`);
    for (const line of error.details) writeErr(`  ${cut(line, SHOWN)}`);
  } else {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    writeErr(
      `${red}: ${withoutControls(message)}\nThis is a bug in acp-codegen; please report it.`,
    );
    if (stack !== undefined) writeErr(isDebug ? stack : DEBUG_HINT);
  }
  return exitCodeOf(error);
}

/**
 * Prints an error as JSON.
 *
 * @returns the exit code
 */
export function reportErrorAsJson(thrown: unknown, { writeOut }: Terminal): number {
  const error = systemError(thrown) ?? thrown;
  const message = error instanceof Error ? error.message : String(error);
  const details =
    error instanceof OutputError && error.details.length > 0 ? { details: error.details } : {};
  const problems = error instanceof InputError ? error.problems : [{ message, ...details }];
  const kind =
    error instanceof InputError ? error.kind : error instanceof OutputError ? "disk" : "internal";
  const texts = locateProblems(problems).map((problem) => ({
    ...problem,
    text: formatProblem(problem),
  }));
  writeOut(JSON.stringify({ error: { kind, problems: texts } }, null, 2));
  return exitCodeOf(error);
}

/** Returns the exit code for an error: the answer is no, wrong use, or the environment failed. */
export function exitCodeOf(thrown: unknown): number {
  const error = systemError(thrown) ?? thrown;
  if (error instanceof OutputError) return ExitCode.environment;
  return error instanceof InputError && error.kind === "usage" ? ExitCode.usage : ExitCode.no;
}
