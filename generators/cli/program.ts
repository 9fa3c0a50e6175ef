import { Command, CommanderError } from "commander";
import { toolVersion } from "../run/installation.js";
import { addConformance } from "./commands/conformance/conformance.js";
import { addDiff } from "./commands/diff.js";
import { addDocs } from "./commands/docs.js";
import { addFeatures } from "./commands/features.js";
import { addGenerate } from "./commands/generate.js";
import { addInit } from "./commands/init.js";
import { addInspect } from "./commands/inspect.js";
import { addLint } from "./commands/lint.js";
import { addVerify } from "./commands/verify.js";
import { ExitCode, type AddCommand } from "./context.js";
import { reportError, reportErrorAsJson } from "./print/errors.js";
import { createTerminal, type Streams } from "./terminal.js";

const COMMANDS: readonly AddCommand[] = [
  addGenerate,
  addDocs,
  addInit,
  addFeatures,
  addDiff,
  addVerify,
  addLint,
  addInspect,
  addConformance,
];

/**
 * Runs the command. Each subcommand imports its library when it runs, since most of
 * the time of a short run is loading modules.
 *
 * @param args the arguments after the name of the command
 * @returns the exit code
 */
export async function main(args: readonly string[], streams: Streams = process): Promise<number> {
  const terminal = createTerminal(streams);
  let code: number = ExitCode.done;
  const program = new Command("acp-codegen")
    .description(
      "Compiles the Agent Client Protocol's schema to types, validators, typed roles and documentation.",
    )
    .version(toolVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .showHelpAfterError("Run acp-codegen --help for usage.")
    .configureOutput({
      writeOut: (text) => terminal.writeOut(text.trimEnd()),
      writeErr: (text) => terminal.writeErr(text.trimEnd()),
    })
    .exitOverride()
    .addHelpText(
      "after",
      "\nExit codes: 0 success, 1 stale output, invalid schema or findings, 2 usage error, 3 disk or permissions.",
    );
  const exit = (given: number): void => void (code = given);
  for (const add of COMMANDS) await add(program, { args, terminal, exit });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    return (args.includes("--json") ? reportErrorAsJson : reportError)(error, terminal);
  }
}
