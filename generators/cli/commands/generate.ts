import type { Found } from "../../run/config.js";
import type { RunFlags } from "../flags.js";
import { generate, type GenerateOptions } from "../../run/generate/generate.js";
import { createJsonReporter, reportErrorAsJson } from "../print/report-json.js";
import {
  createTextReporter,
  ExitCode,
  isStale,
  reportError,
  say,
  type Reporter,
} from "../print/report.js";
import { usageError } from "../../run/usage-error.js";

/**
 * Brings outputs up to date one after the other, or compares them, and tells how it went.
 *
 * @param found what to generate, each output into its folder
 * @param command what to type to bring them up to date
 * @param find finds it again, when the configuration may have changed
 * @returns the exit code
 * @throws InputError for flags that exclude each other, and everything that `generate` throws
 */
export async function runGenerate(
  found: Found,
  flags: RunFlags,
  command: string,
  find: () => Promise<Found> = async () => found,
): Promise<number> {
  const modes = [flags.check && "--check", flags.dryRun && "--dry-run", flags.watch && "--watch"];
  const given = modes.filter((mode) => mode !== undefined && mode !== false);
  if (given.length > 1) throw usageError(`${given.join(" and ")} exclude each other`, "Give one.");
  const runAll = async ({ outputs }: Found): Promise<number> => {
    const reporter = flags.json ? createJsonReporter() : createTextReporter(flags.quiet === true);
    let code: number = ExitCode.done;
    for (const options of outputs) {
      code = Math.max(code, await runOne(options, flags, reporter, command));
    }
    reporter.finish();
    return code;
  };
  if (!flags.watch) return runAll(found);
  const report = (error: unknown): void =>
    void (flags.json ? reportErrorAsJson : reportError)(error);
  const { watchInputs } = await import("../../run/generate/watch.js");
  await watchInputs(found, {
    find: async () => (await find().catch(report)) ?? undefined,
    run: async (now) => void (await runAll(now).catch(report)),
    waiting: (places) => {
      if (!flags.json && !flags.quiet) say(`watching ${places} places`);
    },
  });
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
