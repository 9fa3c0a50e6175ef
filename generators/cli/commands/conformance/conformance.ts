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

export const addConformance: AddCommand = async (program, context) => {
  const conformance = program
    .command("conformance")
    .description("test a program in any language with a corpus of ours; exit 1 for differences")
    .usage("<subject> [options] -- <command...>")
    .helpOption("-h, --help", "print this help")
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
