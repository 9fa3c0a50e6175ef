#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { TARGETS } from "../targets.js";
import { generate, toolVersion } from "./generate.js";
import { ExitCode, reportDrift, reportError, reportStep, reportWritten } from "./report.js";

process.exitCode = await main(process.argv.slice(2));

/** Runs the command and returns its exit code. */
async function main(args: readonly string[]): Promise<number> {
  let code: number = ExitCode.done;
  const program = new Command("acp-codegen")
    .description(
      "Compiles the Agent Client Protocol's schema to types, validators, dispatch and documentation.",
    )
    .version(toolVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .showHelpAfterError("Run acp-codegen --help for usage.")
    .exitOverride()
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 the answer is no (stale output, invalid schema), 2 wrong use, 3 disk or permissions.",
    );
  program
    .command("generate")
    .description("compose the profiles and bring the output folder up to date")
    .option("-p, --profile <names...>", "profiles to generate (default: all)", list)
    .option(
      "-t, --target <names...>",
      `targets to generate (${targetNames()}; default: all but docs)`,
      list,
    )
    .option("-o, --out <folder>", "output folder", "out")
    .option("--check", "write nothing; exit 1 when the output is stale")
    .helpOption("-h, --help", "print this help")
    .action(
      async (options: { profile?: string[]; target?: string[]; out: string; check?: boolean }) => {
        code = await runGenerate(options.target, options);
      },
    );
  program
    .command("docs")
    .description("build the documentation pages below <folder>/site")
    .option("-p, --profile <names...>", "profiles to document (default: all)", list)
    .option("-o, --out <folder>", "output folder", "out")
    .helpOption("-h, --help", "print this help")
    .action(async (options: { profile?: string[]; out: string }) => {
      code = await runGenerate(["docs"], options);
    });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    return reportError(error);
  }
}

async function runGenerate(
  targets: readonly string[] | undefined,
  options: { readonly profile?: string[]; readonly out: string; readonly check?: boolean },
): Promise<number> {
  const started = performance.now();
  const result = await generate({
    out: options.out,
    onProgress: reportStep,
    ...(options.check !== undefined && { check: options.check }),
    ...(options.profile !== undefined && { profiles: options.profile }),
    ...(targets !== undefined && { targets }),
  });
  if (options.check !== true) {
    reportWritten(result, (performance.now() - started) / 1000);
    return ExitCode.done;
  }
  reportDrift(result);
  return result.write.length + result.remove.length === 0 ? ExitCode.done : ExitCode.no;
}

/** Collects `a,b c` into three names. */
function list(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(",").filter((name) => name !== "")];
}

function targetNames(): string {
  return TARGETS.map(({ name }) => name).join(", ");
}
