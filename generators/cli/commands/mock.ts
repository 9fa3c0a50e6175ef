import type { Command } from "commander";
import type { Subject } from "../../schema/source/behavior-source.js";
import { ExitCode, type AddCommand } from "../context.js";
import { parseFile, parseSeconds } from "../flags.js";
import { standardError } from "../print/format.js";
import { addSubjectCommand, checkSubjectCommand } from "../subject-command.js";

interface MockFlags {
  readonly script: string;
  readonly timeout?: number;
}

const EXAMPLES = `
  acp-codegen mock agent --script dies.json                 on standard input and output
  acp-codegen mock client --script asks.json -- my-agent    starts the agent

The guide "Mock an agent or a client" has scripts for the usual faults.
Exit codes: 0 success, 1 the other side has left the script, 2 usage error or a faulty script,
3 the agent cannot be started, or that of the script.`;

export const addMock: AddCommand = (program, { args, terminal, exit }) => {
  const command = program
    .command("mock")
    .description("play an agent or a client by a script, faults included, for tests of the other")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .enablePositionalOptions()
    .helpCommand(false);
  const play = async (side: Subject, flags: MockFlags, agent: readonly string[]): Promise<void> => {
    const { mock } = await import("../../tools/mock/mock.js");
    const { script, timeout } = flags;
    const { stdin: input, stdout: output } = terminal.streams;
    const result = await mock({
      side,
      script,
      ...(side === "agent" ? { input, output } : { command: agent }),
      ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
    });
    const { failure } = result;
    if (failure !== undefined)
      terminal.writeErr(`acp-codegen mock: step ${failure.step}: ${failure.reason}`);
    standardError(failure?.errors).forEach(terminal.writeErr);
    exit(failure === undefined ? (result.exit ?? ExitCode.done) : ExitCode.no);
  };
  addFlags(command.command("agent"))
    .description("play an agent on standard input and output")
    .action((flags: MockFlags) => play("agent", flags, []));
  addSubjectCommand(addFlags(command.command("client")), "the agent, after --")
    .description("play a client of an agent, which is started")
    .action(async (agent: string[], flags: MockFlags) => {
      checkSubjectCommand(agent, args, "my-agent");
      await play("client", flags, agent);
    });
};

function addFlags(command: Command): Command {
  return command
    .requiredOption("--script <file>", "the script, as JSON", parseFile)
    .option("--timeout <seconds>", "how long a step waits (default: a day)", parseSeconds)
    .helpOption("-h, --help", "print this help");
}
