import { createReadStream, statSync } from "node:fs";
import { codeOf, OutputError } from "../../output/output-error.js";
import type { InputOptions } from "../../run/inputs/select-profiles.js";
import { inspect } from "../../run/inspect/inspect.js";
import { inspectAnnotations, printLine, printSummary, writeOut } from "../print/inspect.js";
import type { LineReport } from "../../run/inspect/statistics.js";
import type { Side } from "../../run/inspect/inspector-api.js";
import { MOST_ANNOTATIONS, type Annotation } from "../print/annotations.js";
import { createProgress } from "../print/progress.js";
import { annotate, displayPath, ExitCode } from "../print/report.js";
import { usageError } from "../../run/usage-error.js";

export interface RunInspectOptions {
  readonly inputs: InputOptions;
  readonly recorder?: Side;
  readonly json: boolean;
  /** Tell the summary only. */
  readonly quiet: boolean;
  /** Tell about every message, not only those with findings. */
  readonly all: boolean;
  /** How many findings are printed; all when absent. */
  readonly maxFindings?: number;
  readonly failOn: "error" | "warning";
}

/**
 * Checks the transcript in a file or on standard input, and prints what it finds.
 *
 * @param path the file; `-` or nothing for standard input
 * @returns the exit code
 * @throws InputError for a file that there is not, OutputError for one that cannot be read
 */
export async function runInspect(
  path: string | undefined,
  options: RunInspectOptions,
): Promise<number> {
  const { json, quiet } = options;
  const source = openSource(path);
  const progress = createProgress(source.size);
  const annotations: Annotation[] = [];
  const print = createPrinter(options, source.name);
  let text = "";
  const flush = async (): Promise<void> => {
    if (text !== "") progress.clear();
    await writeOut(text);
    text = "";
  };
  const result = await inspect(source.chunks, options, {
    line: (report) => {
      if (!quiet) text += print(report);
      if (annotations.length < MOST_ANNOTATIONS && source.size !== undefined)
        annotations.push(...inspectAnnotations(report, source.name));
    },
    read: async (bytes, messages) => {
      progress.show(bytes, messages);
      await flush();
    },
  });
  progress.clear();
  text += json
    ? `${JSON.stringify({ type: "summary", ...result })}\n`
    : `${printSummary(result)}\n`;
  await flush();
  if (!json) annotate(annotations);
  const isBad = result.errors > 0 || (options.failOn === "warning" && result.warnings > 0);
  return isBad ? ExitCode.no : ExitCode.done;
}

/** Makes the text about a line; nothing for a line that is not to be shown. */
function createPrinter(
  { json, all, maxFindings = Infinity }: RunInspectOptions,
  name: string,
): (report: LineReport) => string {
  let left = maxFindings;
  let isCut = false;
  return (report) => {
    const findings = all
      ? report.findings
      : report.findings.filter(({ level }) => level !== "note");
    if (findings.length === 0 && !all) return "";
    const shown = findings.slice(0, left);
    left -= shown.length;
    const isFirstCut = !isCut && shown.length < findings.length;
    isCut ||= isFirstCut;
    const about = { ...report, findings: shown };
    const line =
      shown.length === 0 && findings.length > 0
        ? ""
        : `${json ? toJson(about) : printLine(about, name)}\n`;
    return isFirstCut && !json ? `${line}More findings are counted, but not shown.\n` : line;
  };
}

function toJson(report: LineReport): string {
  const type =
    report.verdict === undefined ? "rule" : report.verdict === "unreadable" ? "line" : "message";
  return JSON.stringify({ type, ...report });
}

interface Source {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How reports name it. */
  readonly name: string;
  /** In bytes; absent for what is no file. */
  readonly size?: number;
}

function openSource(path: string | undefined): Source {
  if (path === undefined || path === "-") {
    if (path === undefined && process.stdin.isTTY)
      throw usageError("no transcript is given", "Name a file, or pipe one in.");
    return { chunks: process.stdin, name: "-" };
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw usageError(`there is no file ${path}`, "Check the path.");
  if (stat.isDirectory()) throw usageError(`${path} is a folder`, "Name a transcript in it.");
  const name = displayPath(path);
  return {
    chunks: readFile(path, name),
    name,
    ...(stat.isFile() && { size: stat.size }),
  };
}

async function* readFile(path: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const message = `${name} cannot be read (${codeOf(error)}). Check the disk and the permissions.`;
    throw new OutputError(message, { cause: error });
  }
}
