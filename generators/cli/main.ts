#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { TARGETS } from "../targets.js";
import { diff, printDifferences } from "./diff.js";
import { listFeatures, printFeatures } from "./features.js";
import { generate, SCHEMA, toolVersion } from "./generate.js";
import { ExitCode, reportDrift, reportError, reportStep, reportWritten, say } from "./report.js";

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
  withInputs(program.command("generate"))
    .description("compose the profiles and bring the output folder up to date")
    .option(
      "-t, --target <names...>",
      `targets to generate (${targetNames()}; default: all but ajv and docs)`,
      list,
    )
    .option("-o, --out <folder>", "output folder (default: out)", folder)
    .option("--check", "write nothing; exit 1 when the output is stale")
    .action(async ({ target, ...options }: InputFlags & OutputFlags & { target?: string[] }) => {
      code = await runGenerate(target, options);
    });
  withInputs(program.command("docs"))
    .description("build the documentation pages below <folder>/site")
    .option("-o, --out <folder>", "output folder (default: out)", folder)
    .action(async (options: InputFlags & OutputFlags) => {
      code = await runGenerate(["docs"], options);
    });
  program
    .command("features")
    .description("list the features: status, proposal, what they add and require")
    .option("--protocol <version>", "only those of one protocol version, e.g. v1", once)
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action((options: { protocol?: string; json?: boolean }) => {
      const features = listFeatures(SCHEMA, options.protocol);
      say(options.json ? JSON.stringify(features, null, 2) : printFeatures(features));
    });
  program
    .command("diff")
    .description("compare two schemas by structure; exit 1 when they differ")
    .argument("<before>", "a profile's name, or the path of a schema file")
    .argument("<after>", "likewise")
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action((before: string, after: string, options: { json?: boolean }) => {
      const differences = diff(before, after, SCHEMA);
      say(options.json ? JSON.stringify(differences, null, 2) : printDifferences(differences));
      code = differences.length === 0 ? ExitCode.done : ExitCode.no;
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

/** Options that say what to generate from, as the command line has them. */
interface InputFlags {
  readonly profile?: string[];
  readonly protocol?: string;
  readonly with?: string[];
  readonly without?: string[];
  readonly name?: string;
  readonly schema?: string;
  readonly meta?: string;
  readonly allowUnknownKeywords?: string[];
}

interface OutputFlags {
  readonly out?: string;
  readonly check?: boolean;
}

function withInputs(command: Command): Command {
  return command
    .option("-p, --profile <names...>", "named profiles (default: all)", list)
    .option("--protocol <version>", "a protocol version for a selection of your own, e.g. v1", once)
    .option("--with <features...>", "features to turn on, by name or ./file.json", list)
    .option("--without <features...>", "features to turn off", list)
    .option("--name <profile>", "the name of your own selection (default: <profile>-custom)", once)
    .option("--schema <file>", "a schema in upstream's format, instead of ours", once)
    .option("--meta <file>", "its meta.json, which says the protocol version", once)
    .option("--allow-unknown-keywords <names...>", "keywords of that schema to ignore", list)
    .helpOption("-h, --help", "print this help");
}

async function runGenerate(
  targets: readonly string[] | undefined,
  { profile, schema, meta, check, ...flags }: InputFlags & OutputFlags,
): Promise<number> {
  const started = performance.now();
  const result = await generate({
    ...flags,
    onProgress: reportStep,
    ...(check !== undefined && { check }),
    ...(profile !== undefined && { profiles: profile }),
    ...(schema !== undefined && { schemaFile: schema }),
    ...(meta !== undefined && { metaFile: meta }),
    ...(targets !== undefined && { targets }),
  });
  if (check !== true) {
    reportWritten(result, (performance.now() - started) / 1000);
    return ExitCode.done;
  }
  reportDrift(result);
  return result.write.length + result.remove.length === 0 ? ExitCode.done : ExitCode.no;
}

/** Collects `a,b c` into three names. */
function list(value: string, previous: readonly string[] = []): string[] {
  const names = value.split(",").filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError("It names nothing.");
  return [...previous, ...names];
}

/** Of two values, neither is silently preferred. */
function once(value: string, previous?: string): string {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice.");
  return value;
}

function folder(value: string, previous?: string): string {
  if (value === "") throw new InvalidArgumentError("It names no folder.");
  return once(value, previous);
}

function targetNames(): string {
  return TARGETS.map(({ name }) => name).join(", ");
}
