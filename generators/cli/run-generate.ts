import type { RunFlags } from "./flags.js";
import { generate, type GenerateOptions } from "./generate.js";
import { createJsonReporter, reportErrorAsJson } from "./report-json.js";
import { createTextReporter, ExitCode, isStale, reportError, type Reporter } from "./report.js";
import { usageError } from "./usage.js";

/**
 * Brings outputs up to date one after the other, or compares them, and tells how it went.
 *
 * @param outputs what to generate, each into its folder
 * @param command what to type to bring them up to date
 * @returns the exit code
 * @throws InputError for flags that exclude each other, and everything that `generate` throws
 */
export async function runGenerate(
  outputs: readonly GenerateOptions[],
  flags: RunFlags,
  command: string,
): Promise<number> {
  const modes = [flags.check && "--check", flags.dryRun && "--dry-run", flags.watch && "--watch"];
  const given = modes.filter((mode) => mode !== undefined && mode !== false);
  if (given.length > 1) throw usageError(`${given.join(" and ")} exclude each other`, "Give one.");
  const runAll = async (): Promise<number> => {
    const reporter = flags.json ? createJsonReporter() : createTextReporter(flags.quiet === true);
    let code: number = ExitCode.done;
    for (const options of outputs) {
      code = Math.max(code, await runOne(options, flags, reporter, command));
    }
    reporter.finish();
    return code;
  };
  if (!flags.watch) return runAll();
  const report = flags.json ? reportErrorAsJson : reportError;
  const { watchInputs } = await import("./watch.js");
  await watchInputs(outputs, async () => void (await runAll().catch(report)));
  return ExitCode.done;
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
