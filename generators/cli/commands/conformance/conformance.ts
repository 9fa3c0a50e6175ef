import { unknownName, usageError } from "../../../run/messages.js";
import type { AddCommand } from "../../context.js";
import { addAgent, addClient } from "./behavior.js";
import { addCodec } from "./codec.js";

/** What can be tested, one subcommand each. */
const SUBJECTS: { readonly [name: string]: AddCommand } = {
  codec: addCodec,
  agent: addAgent,
  client: addClient,
};

const EXAMPLES = `
Everything after -- is the command to test. Examples:

  acp-codegen conformance codec --profile v1 -- ./my-codec
  acp-codegen conformance agent --profile v1 --prompt "Say hello." -- npx my-agent
  acp-codegen conformance agent --profile v1 --testee -- ./my-testee-agent
  acp-codegen conformance client --profile v1 -- ./my-testee-client

The guide "Test any implementation" describes what a codec answers and what a testee does.
Exit codes: 0 success, 1 differences or failures, 2 usage error, 3 the command does not work.`;

export const addConformance: AddCommand = async (program, context) => {
  const conformance = program
    .command("conformance")
    .description(
      "test a codec, an agent or a client in any language; exit 1 for differences or failures",
    )
    .usage("<subject> [options] -- <command...>")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .configureHelp({ subcommandTerm: (subject) => subject.name() })
    .enablePositionalOptions()
    .helpCommand(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => refuse(conformance.args));
  for (const add of Object.values(SUBJECTS)) await add(conformance, context);
};

/** Refuses arguments that begin with another word than a subject. */
function refuse([first, ...rest]: readonly string[]): never {
  const names = Object.keys(SUBJECTS);
  if (first !== undefined && !first.startsWith("-")) throw unknownName("subject", first, names);
  const given = first === undefined ? "--profile v1 -- ./my-codec" : [first, ...rest].join(" ");
  throw usageError(
    `conformance requires a subject: ${names.join(", ")}`,
    `Run acp-codegen conformance codec ${given}`,
  );
}
