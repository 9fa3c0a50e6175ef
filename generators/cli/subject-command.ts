import type { Command } from "commander";
import { usageError } from "../run/messages.js";
import { quoted } from "./command-line.js";

/**
 * Adds the argument for the command of a subject. Everything from the first word on that is not an
 * option of ours belongs to it, so that its own options are not read as ours.
 */
export function addSubjectCommand(command: Command, description: string): Command {
  return command
    .argument("[command...]", description)
    .usage("[options] -- <command...>")
    .passThroughOptions();
}

/**
 * Checks that the command of a subject stands after `--`.
 *
 * @param command the words of the command
 * @param args the arguments of the process, which end with these words
 * @param example a program for the message
 * @throws InputError that shows the right command line
 */
export function checkSubjectCommand(
  command: readonly string[],
  args: readonly string[],
  example: string,
): void {
  const before = args.slice(0, args.length - command.length);
  const isSeparated = before.at(-1) === "--";
  const own = isSeparated ? before.slice(0, -1) : before;
  const run = (words: readonly string[]): string =>
    `Run ${["acp-codegen", ...own, "--", ...words].map(quoted).join(" ")}`;
  if (command.length === 0) throw usageError("no command is given after --", run([example]));
  if (!isSeparated) throw usageError("-- is missing before the command", run(command));
  if (command[0]!.trim() === "") throw usageError("the command after -- is empty", run([example]));
}
