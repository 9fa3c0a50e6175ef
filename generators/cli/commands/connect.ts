import { InvalidArgumentError } from "commander";
import { usageError } from "../../run/messages.js";
import type { AddCommand } from "../context.js";
import { endBySignal, forwardSignals } from "../signals.js";

interface ConnectFlags {
  readonly header?: Readonly<Record<string, string>>;
  readonly http?: boolean;
}

const EXAMPLES = `
  acp-codegen connect https://agents.example/acp
  acp-codegen connect wss://agents.example/acp --header 'Authorization: Bearer \${TOKEN}'

It stands in an editor's settings in place of an agent. \${NAME} in the value of a header is replaced
by that environment variable, so that no secret is among the arguments.
The commands that start an agent take such an address too: acp-codegen probe -- https://agents.example/acp
Exit codes: 0 the connection was closed, 2 usage error, 3 it has failed.`;

export const addConnect: AddCommand = (program, { terminal }) => {
  program
    .command("connect")
    .description("an agent on another machine as a program: messages on standard input and output")
    .argument("<url>", "the address of the agent: http, https, ws or wss")
    .option("--header <name: value>", "a header of every request; repeatable", parseHeader)
    .option("--http", "try no WebSocket")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (url: string, { header = {}, http = false }: ConnectFlags) => {
      const { connectStreams } = await import("../../tools/connect.js");
      const { stdin, stdout } = terminal.streams;
      const aborter = new AbortController();
      forwardSignals((name) => aborter.abort(name));
      await connectStreams({
        ...{ url, headers: withVariables(header), isHttpOnly: http },
        ...{ input: stdin, output: stdout, signal: aborter.signal },
        say: (text) => terminal.writeErr(`acp-codegen connect: ${text}`),
      });
      if (aborter.signal.aborted) endBySignal(aborter.signal.reason as NodeJS.Signals);
    });
};

function parseHeader(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([^:]+):\s*(.+)$/.exec(text) ?? [];
  try {
    new Headers([[name!, value!.replaceAll(VARIABLE, "")]]);
  } catch {
    throw new InvalidArgumentError("Expected a name and a value, such as Authorization: Bearer x.");
  }
  return { ...previous, [name!]: value! };
}

const VARIABLE = /\$\{(\w+)\}/g;

/** @throws InputError for a variable that is not set */
function withVariables(headers: Readonly<Record<string, string>>): Record<string, string> {
  const replaced = Object.entries(headers).map(([name, text]) => {
    const value = text.replaceAll(VARIABLE, (_, variable: string) => {
      const found = process.env[variable];
      if (found !== undefined) return found;
      const hint = "Set it in the environment of this command.";
      throw usageError(`the header ${name} needs the variable ${variable}, which is not set`, hint);
    });
    return [name, value] as const;
  });
  return Object.fromEntries(replaced);
}
