import { InvalidArgumentError, Option, type Command } from "commander";
import { list, once, toOptions, type InputFlags } from "../flags.js";
import type { Side } from "../../run/inspect/inspector-api.js";

interface InspectFlags extends Omit<InputFlags, "profile"> {
  readonly profile?: string;
  readonly recordedBy: Side;
  readonly failOn: "error" | "warning";
  readonly maxFindings?: number;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * Adds the command `inspect`.
 *
 * @param end takes the exit code of a run
 */
export function addInspect(program: Command, end: (code: number) => void): void {
  program
    .command("inspect")
    .description("check recorded traffic, one message a line; exit 1 when there are findings")
    .argument("[transcript]", "the file; - or nothing for standard input")
    .option("-p, --profile <name>", "a named profile (default: by the version in initialize)", once)
    .option("--protocol <version>", "a protocol version for a selection of your own, e.g. v1", once)
    .option("--with <features>", "features to turn on, by name or ./file.json, with commas", list)
    .option("--without <features>", "features to turn off, with commas", list)
    .option("--schema <file>", "a schema in upstream's format, instead of ours", once)
    .option("--meta <file>", "its meta.json, which says the protocol version", once)
    .option("--allow-unknown-keywords <names>", "keywords of that schema to ignore", list)
    .addOption(
      new Option("--recorded-by <side>", "whose view it is, where it says in and out")
        .choices(["client", "agent"])
        .default("client"),
    )
    .option("--all", "print every message, not only those with findings")
    .option("--max-findings <number>", "print at most so many; the others are counted", count)
    .addOption(
      new Option("--fail-on <level>", "exit 1 for findings that are at least this bad")
        .choices(["error", "warning"])
        .default("warning"),
    )
    .option("--json", "print JSON, one object a line")
    .option("-q, --quiet", "print the summary only")
    .helpOption("-h, --help", "print this help")
    .action(async (transcript: string | undefined, flags: InspectFlags) => {
      const { runInspect } = await import("./run-inspect.js");
      const { profile, json, quiet, all, maxFindings, failOn, recordedBy, ...inputs } = flags;
      const code = await runInspect(transcript, {
        inputs: toOptions({ ...inputs, ...(profile !== undefined && { profile: [profile] }) }),
        recorder: recordedBy,
        json: json === true,
        quiet: quiet === true,
        all: all === true,
        failOn,
        ...(maxFindings !== undefined && { maxFindings }),
      });
      end(code);
    });
}

function count(value: string, previous?: unknown): number {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice.");
  if (/^[0-9]{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It is not a number.");
}
