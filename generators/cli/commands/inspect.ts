import { statSync } from "node:fs";
import { basename } from "node:path";
import { Option, type Command } from "commander";
import type { Side } from "../../tools/inspect/inspector-api.js";
import type { Statistics } from "../../tools/inspect/statistics.js";
import { KEPT_DAYS } from "../../tools/record/recordings.js";
import { usageError } from "../../run/messages.js";
import { ExitCode, type AddCommand } from "../context.js";
import {
  addOneSelectionFlags,
  parseFile,
  parseNumber,
  parseOnce,
  toSelection,
  type OneSelectionFlags,
} from "../flags.js";
import { record, type RecordFlags } from "../record.js";
import { checkSubjectCommand } from "../subject-command.js";
import type { Terminal } from "../terminal.js";

interface LiveFlags {
  readonly live?: boolean;
  readonly page?: boolean;
  readonly filter?: string;
}

interface CheckFlags extends OneSelectionFlags {
  readonly recordedBy?: Side;
  readonly failOn: "error" | "warning" | "note";
  readonly maxFindings?: number;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** The file for a page with the recording. */
  readonly html?: string;
  readonly redact?: boolean;
}

/** What the command does: it runs an agent, follows a recording, or checks one. */
type Mode = "record" | "live" | "check";

/** The flags that do not belong to every mode, and where they do. */
const MODES: { readonly [flag: string]: readonly Mode[] } = {
  record: ["record"],
  redact: ["record", "live", "check"],
  live: ["live"],
  page: ["live"],
  filter: ["live"],
  quiet: ["record", "check"],
  ...{ all: ["check"], maxFindings: ["check"], failOn: ["check"], json: ["check"] },
  html: ["check"],
};

/** What a mode is for, for messages. */
const PURPOSES: { readonly [mode in Mode]: string } = {
  record: "for recording an agent, whose command is written after --",
  live: "for following a recording with --live",
  check: "for checking a finished recording",
};

const EXAMPLES = `
  acp-codegen inspect transcript.ndjson    check a recording
  acp-codegen inspect -- npx my-agent      run and record an agent: for the settings of an editor
  acp-codegen inspect --live               show what is being recorded
  acp-codegen inspect --live --filter "method:session/prompt slow:>1s"
  acp-codegen inspect --live --page        the same in a browser
  acp-codegen inspect t.ndjson --redact --html report.html    a page for a bug report

Words of a filter: method: session: kind: from: is:finding is:error slow:>1s, and any text.

A recording contains everything that was exchanged, secrets too; only its user can read it. Without --record,
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
    .option("--redact", "mask the texts that are recorded or shown")
    .option("--html <file>", "write the recording with its findings as one page", parseFile)
    .option("--live", "follow the newest recording, or the given one, and show its timeline")
    .option("--page", "show the timeline in a browser, by a server on this machine")
    .option("--filter <words>", "the rows of the timeline to show", parseOnce)
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
        flags: CheckFlags & RecordFlags & LiveFlags,
        command: Command,
      ) => {
        const mode = args.includes("--") ? "record" : flags.live ? "live" : "check";
        checkFlags(command, mode);
        const words = path === undefined ? [] : [path, ...others];
        if (mode === "record") {
          checkSubjectCommand(words, args, "my-agent");
          exit(await record(words as [string, ...string[]], flags));
          return;
        }
        if (others.length > 0) checkSubjectCommand(words, args, "my-agent");
        if (mode === "live") await follow(path, flags, terminal);
        else exit(await check(path, flags, terminal));
      },
    );
};

/** Refuses flags that have no effect, because they belong to another mode. */
function checkFlags(command: Command, mode: Mode): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const isGiven = command.getOptionValueSource(name) === "cli";
    const modes = MODES[name] ?? (mode === "record" ? (["check", "live"] as const) : [mode]);
    if (isGiven && !modes.includes(mode))
      throw usageError(`${option.long} is ${PURPOSES[modes[0]!]}`, "Leave it out, or add that.");
  }
}

/** Shows the timeline of recordings that are still written. */
async function follow(
  path: string | undefined,
  flags: CheckFlags & LiveFlags,
  terminal: Terminal,
): Promise<void> {
  const { live, livePage } = await import("../live.js");
  const { filter, page, recordedBy, redact } = flags;
  const options = {
    inputs: selectionOf(flags),
    ...(path !== undefined && { path }),
    ...(filter !== undefined && { filter }),
    ...(recordedBy !== undefined && { recorder: recordedBy }),
    ...(redact !== undefined && { redact }),
  };
  if (page === true && filter !== undefined)
    throw usageError("--filter is for the terminal", "Leave it out: the page has a filter.");
  await (page === true ? livePage : live)(options, terminal);
}

/** Checks a transcript and prints the findings. Returns the exit code. */
async function check(
  path: string | undefined,
  flags: CheckFlags,
  terminal: Terminal,
): Promise<number> {
  const [{ inspect }, { openTranscript }, { createTranscriptPrinter }] = await Promise.all([
    import("../../tools/inspect/inspect.js"),
    import("../../tools/inspect/open-transcript.js"),
    import("../print/transcript.js"),
  ]);
  const transcript = openTranscript(path, terminal.streams.stdin);
  const { html, redact = false } = flags;
  const printer = createTranscriptPrinter(transcript, flags, terminal);
  const options = {
    inputs: selectionOf(flags),
    redact,
    ...(flags.recordedBy !== undefined && { recorder: flags.recordedBy }),
  };
  if (html !== undefined && path !== undefined && isSameFile(html, path))
    throw usageError(`${html} is the recording itself`, "Name another file for the page.");
  const page = html === undefined ? undefined : await createHtmlFile(html, transcript.name, redact);
  try {
    const result = await inspect(transcript.chunks, options, {
      ...printer,
      line: (report, captured) => {
        page?.line(report, captured);
        printer.line(report, captured);
      },
    });
    if (result.messages + result.unreadable === 0) {
      const name = path === undefined || path === "-" ? "standard input" : path;
      const hint = "Give a recording, or a log with the messages.";
      throw usageError(`there is no message in ${name}`, hint);
    }
    page?.end();
    await printer.finish(result);
    return countFrom(flags.failOn, result) > 0 ? ExitCode.no : ExitCode.done;
  } catch (error) {
    page?.discard();
    throw error;
  }
}

/** Begins the file with the page of a transcript. */
async function createHtmlFile(path: string, name: string, isRedacted: boolean) {
  const [{ buildPage, writePage }, { openResultFile }] = await Promise.all([
    import("../../tools/live/page.js"),
    import("../result-file.js"),
  ]);
  const parts = await buildPage();
  // Like the recording, it may contain secrets.
  const file = openResultFile(path, 0o600);
  const title = name === "-" ? "Recording" : basename(name);
  const { line, end } = writePage(parts, title, isRedacted, file.write);
  return {
    ...{ line, discard: file.discard },
    end: () => {
      end();
      file.close();
    },
  };
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

function selectionOf(flags: CheckFlags & RecordFlags & LiveFlags) {
  const { recordedBy, failOn, maxFindings, all, json, quiet, record: _, redact, ...others } = flags;
  const { live, page, html, filter, ...rest } = others;
  return toSelection(rest);
}

/** Counts the findings that are at least as bad as a level. */
function countFrom(
  level: CheckFlags["failOn"],
  { errors, warnings, notes }: Pick<Statistics, "errors" | "warnings" | "notes">,
): number {
  return errors + (level === "error" ? 0 : warnings) + (level === "note" ? notes : 0);
}
