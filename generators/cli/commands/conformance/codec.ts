import { Option } from "commander";
import { OPERATIONS, type Operation } from "../../../emit/corpus/answer.js";
import type { CodecDifference } from "../../../tools/conformance/codec/compare-codec.js";
import { ExitCode, type AddCommand } from "../../context.js";
import {
  addOneSelectionFlags,
  parseFile,
  parseList,
  parseNumber,
  parseOnce,
  parsePositive,
  parseSeconds,
  toSelection,
  type OneSelectionFlags,
} from "../../flags.js";
import { junitReport } from "../../print/junit.js";
import { createStatusLine } from "../../print/progress.js";
import { openResultFile } from "../../result-file.js";
import type { Terminal } from "../../terminal.js";
import { throwWithFlags } from "./hint-flags.js";
import { addSubjectCommand, checkSubjectCommand } from "../../subject-command.js";

interface CodecFlags extends OneSelectionFlags {
  readonly op: Operation;
  readonly definition?: string[];
  readonly every?: number;
  readonly timeout?: number;
  readonly by: "definition" | "kind";
  readonly failOn: CodecDifference["level"];
  readonly all?: boolean;
  readonly maxDifferences?: number;
  readonly out?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

export const addCodec: AddCommand = (conformance, { args, terminal, exit }) => {
  const subject = addOneSelectionFlags(conformance.command("codec"), "the profile of the cases");
  addSubjectCommand(subject, "the codec, after --: JSON lines on standard input and output")
    .description(
      "compare how a codec decodes, validates or encodes the values of a profile with ours",
    )
    .option("--name <profile>", "the name of a custom selection, which requests have", parseOnce)
    .addOption(
      new Option("--op <operation>", "what the codec does with each case")
        .choices(OPERATIONS)
        .default("decode"),
    )
    .option("--definition <names>", "only the cases of these definitions", parseList)
    .option("--every <number>", "only every so many cases", parsePositive)
    .option("--timeout <seconds>", "how long an answer may take (default: 60)", parseSeconds)
    .addOption(
      new Option("--by <group>", "count differences by definition, or by kind and definition")
        .choices(["definition", "kind"])
        .default("definition"),
    )
    .addOption(
      new Option("--fail-on <level>", "exit 1 for differences of this level, or worse")
        .choices(["required", "recommended"])
        .default("required"),
    )
    .option("--all", "print recommended differences, too")
    .option("--max-differences <number>", "print at most so many (default: 10)", parseNumber)
    .option("--out <file>", "write all differences, one JSON object on each line", parseFile)
    .option("--junit <file>", "write the results in JUnit's format", parseFile)
    .option("--json", "print JSON")
    .action(async (command: string[], flags: CodecFlags) => {
      checkSubjectCommand(command, args, "./my-codec");
      exit(await compare(command, flags, terminal));
    });
};

/** Compares a codec and prints the result. Returns the exit code. */
async function compare(
  command: readonly string[],
  flags: CodecFlags,
  terminal: Terminal,
): Promise<number> {
  const [{ compareCodec }, print] = await Promise.all([
    import("../../../tools/conformance/codec/compare-codec.js"),
    import("../../print/codec.js"),
  ]);
  const { op, definition, every, timeout, by, failOn, all, maxDifferences = 10 } = flags;
  const { out, junit, json, ...selection } = flags;
  const counted: readonly CodecDifference["level"][] =
    failOn === "recommended" ? ["required", "recommended"] : ["required"];
  const levels = all ? (["required", "recommended"] as const) : counted;
  const options = {
    inputs: toSelection(selection),
    command,
    op,
    ...(definition !== undefined && { definitions: definition }),
    ...(every !== undefined && { every }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
  };
  const status = createStatusLine(terminal.streams.stderr);
  const file = out === undefined ? undefined : openResultFile(out);
  const report = junit === undefined ? undefined : openResultFile(junit);
  const examples = print.createExamples(levels);
  const result = await compareCodec(options, {
    difference: (difference) => {
      file?.write(`${JSON.stringify(print.differenceJson(difference))}\n`);
      examples.add(difference);
    },
    progress: (answers, begun, definitions) =>
      status.show(() => `${answers} cases, ${begun} of ${definitions} definitions`),
  })
    .catch((error: unknown) => {
      report?.discard();
      return throwWithFlags(error);
    })
    .finally(() => {
      status.clear();
      file?.close();
    });
  const shown = examples.choose(maxDifferences);
  report?.write(junitReport([print.codecSuite(result, counted)]));
  report?.close();
  if (json) terminal.writeOut(JSON.stringify(print.codecJson(result, shown), null, 2));
  else print.printCodec(result, shown, by, levels).forEach(terminal.writeOut);
  const isBad = counted.some((level) => result[level] > 0);
  return isBad ? ExitCode.no : ExitCode.done;
}
