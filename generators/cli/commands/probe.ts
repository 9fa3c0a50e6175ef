import { ExitCode, type AddCommand } from "../context.js";
import { parseOnce, parseSeconds } from "../flags.js";
import { addSubjectCommand, checkSubjectCommand } from "../subject-command.js";

interface ProbeFlags {
  readonly prompt?: string;
  readonly timeout?: number;
  readonly json?: boolean;
}

const EXAMPLES = `
  acp-codegen probe -- npx my-agent
  acp-codegen probe --prompt "Say hello." -- npx my-agent    with a turn, which may cost money

The agent is started twice, once for each version of the protocol. A session is opened in a
temporary folder, and nothing that the agent asks for is approved.
Exit codes: 0 usable, 1 not usable, 2 usage error, 3 the agent cannot be started.`;

export const addProbe: AddCommand = (program, { args, terminal, exit }) => {
  addSubjectCommand(program.command("probe"), "the agent, after --")
    .description(
      "find out what an agent advertises, and which of its features actually work; exit 1 if it is unusable",
    )
    .option("--prompt <text>", "start a turn with this text", parseOnce)
    .option("--timeout <seconds>", "how long an answer may take (default: 10)", parseSeconds)
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (command: string[], { prompt, timeout, json }: ProbeFlags) => {
      checkSubjectCommand(command, args, "my-agent");
      const [{ probe }, { printProbe }] = await Promise.all([
        import("../../tools/probe/probe.js"),
        import("../print/probe.js"),
      ]);
      const result = await probe({
        command,
        ...(prompt !== undefined && { prompt }),
        ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      });
      if (json) terminal.writeOut(JSON.stringify(result, null, 2));
      else printProbe(result).forEach(terminal.writeOut);
      exit(result.usable ? ExitCode.done : ExitCode.no);
    });
};
