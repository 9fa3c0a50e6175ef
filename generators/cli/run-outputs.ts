import type { ResolvedConfig } from "../run/config.js";
import { generate } from "../run/generate/generate.js";
import { displayPath, usageError } from "../run/messages.js";
import type { GenerateOptions } from "../run/options.js";
import { InputError } from "../schema/problem.js";
import { commandLine } from "./command-line.js";
import { ExitCode, type CommandContext } from "./context.js";
import type { RunFlags } from "./flags.js";
import { reportError, reportErrorAsJson } from "./print/errors.js";
import { createJsonReporter } from "./print/report-json.js";
import { createTextReporter, isStale, type Reporter } from "./print/report.js";

/**
 * Updates or compares outputs one after the other, and reports the results.
 *
 * @param resolveAgain resolves the configuration again, for `--watch`
 * @returns the exit code
 * @throws InputError for flags that exclude each other, and every error of `generate`
 */
export async function runOutputs(
  config: ResolvedConfig,
  flags: RunFlags,
  { args, terminal }: Pick<CommandContext, "args" | "terminal">,
  resolveAgain: () => Promise<ResolvedConfig>,
): Promise<number> {
  const modes = [flags.check && "--check", flags.dryRun && "--dry-run", flags.watch && "--watch"];
  const given = modes.filter(Boolean);
  if (given.length > 1) throw usageError(`${given.join(" and ")} exclude each other`, "Give one.");
  const command = commandLine(args);
  const runAll = async ({ outputs, file }: ResolvedConfig): Promise<number> => {
    const reporter = flags.json
      ? createJsonReporter(terminal)
      : createTextReporter(terminal, flags.quiet === true);
    let code: number = ExitCode.done;
    for (const options of outputs) {
      const one = runOne(options, flags, reporter, command);
      code = Math.max(code, await one.catch((error: unknown) => throwWithFile(error, file)));
    }
    reporter.finish();
    return code;
  };
  if (!flags.watch) return runAll(config);
  const report = (error: unknown): undefined =>
    void (flags.json ? reportErrorAsJson : reportError)(error, terminal);
  const { watchInputs } = await import("../run/generate/watch.js");
  await watchInputs(config, {
    resolve: () => resolveAgain().catch(report),
    run: async (next) => void (await runAll(next).catch(report)),
    waiting: (paths) => {
      if (!flags.json && !flags.quiet) terminal.writeOut(`watching ${paths} paths`);
    },
  });
  // Only a signal ends it.
  return new Promise<never>(() => {});
}

/** Throws an error again; the problems that are about no other file are those of the configuration. */
function throwWithFile(error: unknown, file: string | undefined): never {
  if (!(error instanceof InputError) || file === undefined) throw error;
  const named = error.problems.map((problem) => ({ file: displayPath(file), ...problem }));
  throw new InputError(named, error.kind);
}

async function runOne(
  options: GenerateOptions,
  { check = false, dryRun = false }: RunFlags,
  reporter: Reporter,
  command: string,
): Promise<number> {
  const started = performance.now();
  const result = await generate({
    ...options,
    check: check || dryRun,
    onProgress: reporter.step,
  });
  if (check) await reporter.drift(result, command);
  else if (dryRun) reporter.planned(result);
  else reporter.written(result, (performance.now() - started) / 1000);
  return check && isStale(result) ? ExitCode.no : ExitCode.done;
}
