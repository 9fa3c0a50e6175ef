import { Command, CommanderError } from "commander";
import { toolVersion } from "../run/installation.js";
import { ExitCode, type AddCommand } from "./context.js";
import { createTerminal, type Streams } from "./terminal.js";

/** The commands, in the order of the help. Only the one that runs is loaded. */
const COMMANDS: { readonly [name: string]: () => Promise<AddCommand> } = {
  generate: async () => (await import("./commands/generate.js")).addGenerate,
  docs: async () => (await import("./commands/docs.js")).addDocs,
  init: async () => (await import("./commands/init.js")).addInit,
  features: async () => (await import("./commands/features.js")).addFeatures,
  diff: async () => (await import("./commands/diff.js")).addDiff,
  verify: async () => (await import("./commands/verify.js")).addVerify,
  lint: async () => (await import("./commands/lint.js")).addLint,
  inspect: async () => (await import("./commands/inspect.js")).addInspect,
  probe: async () => (await import("./commands/probe.js")).addProbe,
  replay: async () => (await import("./commands/replay.js")).addReplay,
  mock: async () => (await import("./commands/mock.js")).addMock,
  connect: async () => (await import("./commands/connect.js")).addConnect,
  conformance: async () => (await import("./commands/conformance/conformance.js")).addConformance,
};

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
      "Generates types, validators, clients, agents and docs from the Agent Client Protocol's schema.",
    )
    .version(toolVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .enablePositionalOptions()
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
  const [first = ""] = args;
  const loaded = Object.hasOwn(COMMANDS, first) ? [COMMANDS[first]!] : Object.values(COMMANDS);
  for (const load of loaded) await (await load())(program, { args, terminal, exit });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    const { reportError, reportErrorAsJson } = await import("./print/errors.js");
    return (args.includes("--json") ? reportErrorAsJson : reportError)(error, terminal);
  }
}
