#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { Command, CommanderError, Option } from "commander";
import { commandLine } from "./command-line.js";
import type { Found } from "../run/config.js";
import {
  folder,
  list,
  once,
  packageName,
  toOptions,
  withInputs,
  withRun,
  FAIL_ON,
  type DiffFlags,
  type InitFlags,
  type InputFlags,
  type RunFlags,
  type VerifyFlags,
} from "./flags.js";
import { addInspect } from "./commands/inspect.js";
import { addLint } from "./commands/lint.js";
import { ExitCode, reportError, say } from "./print/report.js";
import { reportErrorAsJson } from "./print/report-json.js";
import { handleSignals } from "./shutdown.js";
import { SCHEMA, toolVersion } from "../run/installation.js";

// The V8 of Node 20 takes as long again to make code fast as a run needs to be through.
if (process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=1000000");

process.exitCode = await main(process.argv.slice(2));

/**
 * Runs the command and returns its exit code. What a command needs is imported
 * when it runs: most of the time of a short run is loading libraries.
 */
async function main(args: readonly string[]): Promise<number> {
  handleSignals();
  // A reader that has seen enough (`| head`) does not end the work.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
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
      "\nExit codes: 0 done, 1 the answer is no (stale output, invalid schema, findings), 2 wrong use, 3 disk or permissions.",
    );
  const help = args.some((arg) => arg === "-h" || arg === "--help");
  const targets = help ? `${await targetNames()}; ` : "";
  withRun(withInputs(program.command("generate")))
    .description("compose the profiles and bring the output folder up to date")
    .option(
      "-t, --target <names...>",
      `targets to generate, or ./a-target.js (${targets}default: all but ajv and docs)`,
      list,
    )
    .option(
      "--package <name>",
      "the npm name of the generated package (default: acp-bindings)",
      packageName,
    )
    .option("--check", "write nothing; exit 1 when the output is stale")
    .option("--config <file>", "a configuration file (default: acp-codegen.config.*)", once)
    .option("--no-config", "read no configuration file")
    .option("--print-config", "print what the configuration comes to, and end")
    .action(async (flags: InputFlags & RunFlags) => {
      const [{ findOutputs, printConfig }, { runGenerate }] = await Promise.all([
        import("../run/config.js"),
        import("./commands/generate.js"),
      ]);
      const found = await findOutputs(flags);
      // From then on it is this file, so that none is not taken for everything.
      const config = found.file ?? flags.config;
      const find = (): Promise<Found> =>
        findOutputs({ ...flags, ...(config !== undefined && { config }) });
      if (flags.printConfig) say(printConfig(found.outputs));
      else code = await runGenerate(found, flags, commandLine(args), find);
    });
  withRun(withInputs(program.command("docs")))
    .description("build the documentation pages below <folder>/site")
    .option(
      "--package <name>",
      "the npm name of the package that the pages import from (default: acp-bindings)",
      packageName,
    )
    .action(async (flags: InputFlags & RunFlags) => {
      const { runGenerate } = await import("./commands/generate.js");
      const outputs = [{ ...toOptions(flags), targets: ["docs"] }];
      code = await runGenerate({ outputs }, flags, commandLine(args));
    });
  program
    .command("init")
    .description("write a commented configuration, or a whole project to start from")
    .argument("[folder]", "the project's folder (default: this one)", folder)
    .option("--starter <name>", "a project that runs: agent, client or adapter", once)
    .option("--name <name>", "its npm name (default: that of the folder)", once)
    .option("--force", "overwrite files that are in the way")
    .option("--dry-run", "write nothing; print what would be written")
    .helpOption("-h, --help", "print this help")
    .action(async (place: string | undefined, flags: InitFlags) => {
      const { init, printProject } = await import("../run/init/init.js");
      say(printProject(await init(place, flags), flags.dryRun === true));
    });
  program
    .command("features")
    .description("list the features: status, proposal, what they add and require")
    .option("--protocol <version>", "only those of one protocol version, e.g. v1", once)
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action(async (options: { protocol?: string; json?: boolean }) => {
      const { listFeatures, printFeatures } = await import("../run/features.js");
      const features = listFeatures(SCHEMA, options.protocol);
      say(options.json ? JSON.stringify(features, null, 2) : printFeatures(features));
    });
  program
    .command("diff")
    .description("compare two schemas: what changed, and whom it breaks; exit 1 when it does")
    .argument(
      "<before>",
      "a profile's name, the path of a schema file,\nor <folder or .tgz of a released package>#<profile>",
    )
    .argument("<after>", "likewise")
    .addOption(
      new Option("--format <format>", "how to print it").choices(["text", "markdown", "json"]),
    )
    .addOption(new Option("--json", "the same as --format json").conflicts("format"))
    .addOption(
      new Option("--fail-on <impact>", "exit 1 for changes that are at least this bad").choices([
        ...FAIL_ON,
      ]),
    )
    .helpOption("-h, --help", "print this help")
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const [{ diff }, { printComparison, isBadEnough }] = await Promise.all([
        import("../run/diff.js"),
        import("./print/comparison.js"),
      ]);
      const comparison = await diff(before, after, SCHEMA);
      say(printComparison(comparison, flags.json ? "json" : (flags.format ?? "text")));
      code = isBadEnough(comparison, flags.failOn ?? "safe") ? ExitCode.no : ExitCode.done;
    });
  program
    .command("verify")
    .description("prove that an output folder is whole and came from the inputs that it names")
    .argument("[folder]", "the output folder", "out")
    .option("--quick", "compare with the manifest only; make nothing anew")
    .option("--with <files...>", "features of your own that it was made with", list)
    .option("--target <files...>", "targets of your own that made files of it", list)
    .option("--schema <file>", "the schema that it was made from, where that was not ours", once)
    .option("--meta <file>", "its meta.json", once)
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action(async (place: string, flags: VerifyFlags) => {
      const { verify, printVerified } = await import("../run/verify.js");
      const { quick = false, json: _, ...inputs } = flags;
      const verified = await verify(place, { quick, ...toOptions(inputs) });
      say(flags.json ? JSON.stringify(verified, null, 2) : printVerified(verified, place));
      code = verified.findings.length === 0 ? ExitCode.done : ExitCode.no;
    });
  for (const add of [addLint, addInspect]) add(program, (ended) => (code = ended));
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    return args.includes("--json") ? reportErrorAsJson(error) : reportError(error);
  }
}

async function targetNames(): Promise<string> {
  const { TARGETS } = await import("../targets.js");
  return TARGETS.map(({ name }) => name).join(", ");
}
