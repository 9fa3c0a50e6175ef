import { Option } from "commander";
import type { Side } from "../../run/inspect/inspector-api.js";
import type { Statistics } from "../../run/inspect/statistics.js";
import { ExitCode, type AddCommand } from "../context.js";
import {
  addOneSelectionFlags,
  parseNumber,
  toSelection,
  type OneSelectionFlags,
} from "../flags.js";

interface InspectFlags extends OneSelectionFlags {
  readonly recordedBy: Side;
  readonly failOn: "error" | "warning" | "note";
  readonly maxFindings?: number;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Counts the findings that are at least as bad as a level. */
function countFrom(
  level: InspectFlags["failOn"],
  { errors, warnings, notes }: Pick<Statistics, "errors" | "warnings" | "notes">,
): number {
  return errors + (level === "error" ? 0 : warnings) + (level === "note" ? notes : 0);
}

export const addInspect: AddCommand = (program, { terminal, exit }) => {
  addOneSelectionFlags(
    program.command("inspect"),
    "a profile (default: by the version in initialize)",
  )
    .description("check recorded traffic, one message on each line; exit 1 for findings")
    .argument("[transcript]", "the file; standard input when - or absent")
    .addOption(
      new Option("--recorded-by <side>", "the side that recorded it, for in and out")
        .choices(["client", "agent"])
        .default("client"),
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
    .action(async (path: string | undefined, flags: InspectFlags) => {
      const [{ inspect }, { openTranscript }, { createTranscriptPrinter }] = await Promise.all([
        import("../../run/inspect/inspect.js"),
        import("../../run/inspect/open-transcript.js"),
        import("../print/transcript.js"),
      ]);
      const { recordedBy, failOn, maxFindings: _, all, json, quiet, ...rest } = flags;
      const inputs = toSelection(rest);
      const transcript = openTranscript(path, terminal.streams.stdin);
      const printer = createTranscriptPrinter(transcript, flags, terminal);
      const result = await inspect(transcript.chunks, { inputs, recorder: recordedBy }, printer);
      if (result.messages + result.unreadable === 0) {
        const { usageError } = await import("../../run/messages.js");
        const name = path === undefined || path === "-" ? "standard input" : path;
        const hint = "Give a recording, with one message on each line.";
        throw usageError(`there is no message in ${name}`, hint);
      }
      await printer.finish(result);
      exit(countFrom(failOn, result) > 0 ? ExitCode.no : ExitCode.done);
    });
};
