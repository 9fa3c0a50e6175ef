import { Option, type Command } from "commander";
import type { Side } from "../../run/inspect/inspector-api.js";
import type { Statistics } from "../../run/inspect/statistics.js";
import { KEPT_DAYS } from "../../run/live/recordings.js";
import { usageError } from "../../run/messages.js";
import { ExitCode, type AddCommand } from "../context.js";
import {
  addOneSelectionFlags,
  parseFile,
  parseNumber,
  toSelection,
  type OneSelectionFlags,
} from "../flags.js";
import { record, type RecordFlags } from "../record.js";
import { checkSubjectCommand } from "../subject-command.js";
import type { Terminal } from "../terminal.js";

interface CheckFlags extends OneSelectionFlags {
  readonly recordedBy?: Side;
  readonly failOn: "error" | "warning" | "note";
  readonly maxFindings?: number;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The flags of a run of an agent; the others are those of a check. */
const RECORD_FLAGS = ["record", "redact", "quiet"];

const EXAMPLES = `
  acp-codegen inspect transcript.ndjson    check a recording
  acp-codegen inspect -- npx my-agent      run and record an agent: for the settings of an editor

A recording has everything that is said, secrets too; only its user can read it. Without --record,
it is kept for ${KEPT_DAYS} days in ~/.cache/acp-codegen/recordings, or in ACP_CODEGEN_RECORDINGS.
Exit codes: 0 success, 1 findings, 2 usage error, 3 disk or permissions; otherwise those of the agent.`;

export const addInspect: AddCommand = (program, { args, terminal, exit }) => {
  addOneSelectionFlags(
    program.command("inspect"),
    "a profile (default: by the version in initialize)",
  )
    .description("check a recording or a log, or record an agent; exit 1 for findings")
    .usage("[options] [transcript]\n       acp-codegen inspect [options] -- <agent...>")
    .argument("[transcript]", "the file; standard input when - or absent")
    .argument("[agent...]", "after --: the command of an agent to run and record")
    .option("--record <file>", "append what the agent exchanges to this file", parseFile)
    .option("--redact", "mask the texts in that recording")
    .addOption(
      new Option(
        "--recorded-by <side>",
        "the side that recorded it, for in and out (default: by initialize)",
      ).choices(["client", "agent"]),
    )
    .option("--all", "print every message and every note, not only errors and warnings")
    .option("--max-findings <number>", "print at most so many; others are counted", parseNumber)
    .addOption(
      new Option("--fail-on <level>", "exit 1 for findings that are at least this bad")
        .choices(["error", "warning", "note"])
        .default("warning"),
    )
    .option("--json", "print JSON, one object on each line")
    .option("-q, --quiet", "print the summary only")
    .addHelpText("after", EXAMPLES)
    .action(
      async (
        path: string | undefined,
        others: readonly string[],
        flags: CheckFlags & RecordFlags,
        command: Command,
      ) => {
        const isRun = args.includes("--");
        checkFlags(command, isRun);
        const words = path === undefined ? [] : [path, ...others];
        if (isRun) {
          checkSubjectCommand(words, args, "my-agent");
          exit(await record(words as [string, ...string[]], flags));
        } else {
          if (others.length > 0) checkSubjectCommand(words, args, "my-agent");
          exit(await check(path, flags, terminal));
        }
      },
    );
};

/** Refuses flags that have no effect: those of a check with an agent, and the reverse. */
function checkFlags(command: Command, isRun: boolean): void {
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== "cli" || name === "quiet") continue;
    if (RECORD_FLAGS.includes(name) === isRun) continue;
    throw isRun
      ? usageError(`${option.long} is for checking a recording`, "Check the recording afterwards.")
      : usageError(
          `${option.long} is for recording an agent`,
          "Write the agent's command after --.",
        );
  }
}

/** Checks a transcript and prints the findings. Returns the exit code. */
async function check(
  path: string | undefined,
  flags: CheckFlags,
  terminal: Terminal,
): Promise<number> {
  const [{ inspect }, { openTranscript }, { createTranscriptPrinter }] = await Promise.all([
    import("../../run/inspect/inspect.js"),
    import("../../run/inspect/open-transcript.js"),
    import("../print/transcript.js"),
  ]);
  const transcript = openTranscript(path, terminal.streams.stdin);
  const printer = createTranscriptPrinter(transcript, flags, terminal);
  const options = {
    inputs: selectionOf(flags),
    ...(flags.recordedBy !== undefined && { recorder: flags.recordedBy }),
  };
  const result = await inspect(transcript.chunks, options, printer);
  if (result.messages + result.unreadable === 0) {
    const name = path === undefined || path === "-" ? "standard input" : path;
    const hint = "Give a recording, or a log with the messages.";
    throw usageError(`there is no message in ${name}`, hint);
  }
  await printer.finish(result);
  return countFrom(flags.failOn, result) > 0 ? ExitCode.no : ExitCode.done;
}

function selectionOf(flags: CheckFlags & RecordFlags) {
  const { recordedBy, failOn, maxFindings, all, json, quiet, record: _, redact, ...rest } = flags;
  return toSelection(rest);
}

/** Counts the findings that are at least as bad as a level. */
function countFrom(
  level: CheckFlags["failOn"],
  { errors, warnings, notes }: Pick<Statistics, "errors" | "warnings" | "notes">,
): number {
  return errors + (level === "error" ? 0 : warnings) + (level === "note" ? notes : 0);
}
