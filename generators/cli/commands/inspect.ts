import { Option } from "commander";
import type { Side } from "../../run/inspect/inspector-api.js";
import { ExitCode, type AddCommand } from "../context.js";
import {
  addOneSelectionFlags,
  parseNumber,
  toSelection,
  type OneSelectionFlags,
} from "../flags.js";

interface InspectFlags extends OneSelectionFlags {
  readonly recordedBy: Side;
  readonly failOn: "error" | "warning";
  readonly maxFindings?: number;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
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
    .option("--all", "print every message, not only those with findings")
    .option("--max-findings <number>", "print at most so many; others are counted", parseNumber)
    .addOption(
      new Option("--fail-on <level>", "exit 1 for findings that are at least this bad")
        .choices(["error", "warning"])
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
      await printer.finish(result);
      const isBad = result.errors > 0 || (failOn === "warning" && result.warnings > 0);
      exit(isBad ? ExitCode.no : ExitCode.done);
    });
};
