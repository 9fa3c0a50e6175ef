import { join, relative } from "node:path";
import { OutputError } from "../../output/output-error.js";
import { readOutput } from "../../output/write.js";
import { formatProblem, InputError } from "../../schema/problem.js";
import { annotationOf, printAnnotations, type Annotation } from "./annotations.js";
import { colors as pc, errorColors } from "./colors.js";
import type { GenerateResult, Step } from "../../run/generate/generate.js";

/** Exit codes of the command. */
export const ExitCode = { done: 0, no: 1, usage: 2, environment: 3 } as const;

/** How a run tells what it does. */
export interface Reporter {
  readonly step: (step: Step) => void;
  /** What a run has changed. */
  readonly written: (result: GenerateResult, seconds: number) => void;
  /** What a run would change. */
  readonly planned: (result: GenerateResult) => void;
  /**
   * How the output differs from what would be generated.
   *
   * @param command what to type to bring it up to date
   */
  readonly drift: (result: GenerateResult, command: string) => Promise<void>;
  /** Everything has been told. */
  readonly finish: () => void;
}

/** Tells people. Stale output and errors go to standard error, and are told when it is quiet too. */
export function createTextReporter(quiet: boolean): Reporter {
  const tell = quiet ? () => {} : say;
  return {
    step: (step) => tell(printStep(step)),
    written: (result, seconds) => {
      const { write, remove, unchanged } = result;
      const counts = `${write.length} written, ${remove.length} removed, ${unchanged} unchanged`;
      tell(
        `${pc.green("done")}: ${counts} in ${displayPath(result.out)} (${seconds.toFixed(1)} s)`,
      );
    },
    planned: (result) => {
      const rows = rowsOf(result);
      const place = displayPath(result.out);
      say(rows.length === 0 ? `nothing would change in ${place}` : rows.join("\n"));
    },
    drift: async (result, command) => {
      const place = displayPath(result.out);
      if (!isStale(result)) {
        tell(`${pc.green("up to date")}: ${result.unchanged} files in ${place}`);
        return;
      }
      const title = `${errorColors.red("stale")}: ${place} is not what the schema generates`;
      const broken = "  an earlier run was killed while it moved files";
      complain(
        [
          title,
          ...(result.interrupted ? [broken] : []),
          ...rowsOf(result),
          ...(await diffsOf(result)),
          `Run ${errorColors.bold(command)} and commit the result.`,
        ].join("\n"),
      );
      annotate(staleFiles(result, command));
    },
    finish: () => {},
  };
}

/** Whether the output is not what a run would leave. */
export function isStale({ write, remove, interrupted }: GenerateResult): boolean {
  return write.length + remove.length > 0 || interrupted;
}

function printStep(step: Step): string {
  switch (step.kind) {
    case "waiting":
      return `waiting for process ${step.pid}, which writes to the same folder`;
    case "built": {
      const { profile, definitions, methods } = step.protocol;
      return `${pc.bold(profile)}: ${definitions.length} definitions, ${methods.length} methods`;
    }
    case "compiled":
      return `${step.files} files compiled`;
    default:
      return step satisfies never;
  }
}

function rowsOf({ write, remove }: GenerateResult): string[] {
  return [
    ...write.map(({ file, exists }) => `  ${exists ? "changed" : "missing"}  ${file.path}`),
    ...remove.map((path) => `  extra    ${path}`),
  ];
}

/** How many changed files are shown with what has changed in them. */
const MAX_DIFFS = 5;

async function diffsOf({ write, out }: GenerateResult): Promise<string[]> {
  const { printFileDiff } = await import("./file-diff.js");
  const changed = write.filter(({ exists }) => exists);
  const rest = changed.length - MAX_DIFFS;
  return [
    ...changed
      .slice(0, MAX_DIFFS)
      .map(({ file }) => printFileDiff(file.path, readOutput(out, file.path) ?? "", file.text)),
    ...(rest > 0 ? [`… and ${rest} more files that have changed`] : []),
  ];
}

function staleFiles({ write, remove, out }: GenerateResult, command: string): Annotation[] {
  const rows: readonly [string, string][] = [
    ...write.map(({ file, exists }): [string, string] => [
      file.path,
      exists ? "is not what the schema generates" : "is missing",
    ]),
    ...remove.map((path): [string, string] => [path, "is not generated any more"]),
  ];
  return rows.map(([path, what]) => ({
    file: displayPath(join(out, path)),
    title: "stale output",
    message: `${path} ${what}. Run ${command} and commit the result.`,
  }));
}

/**
 * Says what went wrong, without a stack trace where it is not our mistake.
 *
 * @returns the exit code
 */
export function reportError(error: unknown): number {
  const red = errorColors.red("error");
  if (error instanceof InputError) {
    for (const problem of error.problems) complain(`${red}: ${formatProblem(problem)}`);
    annotate(error.problems.map(annotationOf));
    if (process.env["DEBUG"] && error.cause instanceof Error) complain(error.cause.stack!);
    return exitCodeOf(error);
  }
  if (error instanceof OutputError) {
    complain(`${red}: ${error.message}`);
    return exitCodeOf(error);
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  complain(`${red}: ${message}\nThis is a mistake in acp-codegen; please report it.`);
  if (process.env["DEBUG"] && stack !== undefined) complain(stack);
  return exitCodeOf(error);
}

/** The exit code for an error: the input says no, wrong use, or the disk is in the way. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof OutputError) return ExitCode.environment;
  return error instanceof InputError && error.kind === "usage" ? ExitCode.usage : ExitCode.no;
}

/** GitHub reads them from standard output; nobody else gets them. */
export function annotate(annotations: readonly Annotation[]): void {
  if (process.env["GITHUB_ACTIONS"] !== "true") return;
  printAnnotations(annotations).forEach(say);
}

/** A path as the user would type it here. */
export function displayPath(path: string): string {
  return relative(process.cwd(), path).replaceAll("\\", "/") || ".";
}

/** Prints a line on standard output. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a line on standard error. */
export function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
