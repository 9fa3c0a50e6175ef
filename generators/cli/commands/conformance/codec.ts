import { Option } from "commander";
import type { ConformanceResult, Difference } from "../../../run/conformance/conformance.js";
import { ExitCode, type AddCommand } from "../../context.js";
import { parseList, parseNumber, parseOnce } from "../../flags.js";
import { colors as pc } from "../../print/colors.js";
import { count } from "../../print/format.js";

interface ConformanceFlags {
  readonly profile: string;
  readonly definition?: string[];
  readonly every?: number;
  readonly failOn: "required" | "recommended";
  readonly maxDifferences?: number;
  readonly json?: boolean;
}

export const addCodec: AddCommand = (program, { terminal, exit }) => {
  program
    .command("codec")
    .description("compare a decoder in any language with ours; exit 1 for differences")
    .argument("<command...>", "the decoder, after --: JSON lines on standard input and output")
    .requiredOption("-p, --profile <name>", "the profile of the cases", parseOnce)
    .option("--definition <names>", "only the cases of these definitions", parseList)
    .option("--every <number>", "only every so many cases", parseNumber)
    .option("--max-differences <number>", "print at most so many (default: 10)", parseNumber)
    .addOption(
      new Option("--fail-on <level>", "exit 1 for differences of this level, or worse")
        .choices(["required", "recommended"])
        .default("required"),
    )
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action(async (command: string[], flags: ConformanceFlags) => {
      const { compareCodec } = await import("../../../run/conformance/conformance.js");
      const { profile, definition, every, failOn, maxDifferences = 10, json } = flags;
      const differences: Difference[] = [];
      const result = await compareCodec(
        {
          inputs: { profiles: [profile] },
          command,
          ...(definition !== undefined && { definitions: definition }),
          ...(every !== undefined && every > 0 && { every }),
        },
        (difference) => differences.length < maxDifferences && differences.push(difference),
      );
      if (json) terminal.writeOut(JSON.stringify({ ...result, differences }, null, 2));
      else printResult(result, differences).forEach(terminal.writeOut);
      const { required, recommended } = result;
      const isBad = required > 0 || (failOn === "recommended" && recommended > 0);
      exit(isBad ? ExitCode.no : ExitCode.done);
    });
};

/** Prints the definitions that differ, the first differences, and the totals. */
function printResult(result: ConformanceResult, differences: readonly Difference[]): string[] {
  const { profile, cases, required, recommended, unsupported, definitions } = result;
  const rows = Object.entries(definitions).map(
    ([name, own]) => [name, own.cases, own.required, own.recommended] as const,
  );
  const head = [["definition", "cases", "required", "recommended"]];
  const width = Math.max(...[...head, ...rows].map(([name]) => String(name).length));
  const table = [...head, ...rows].map(([name, ...numbers]) =>
    [String(name).padEnd(width), ...numbers.map((number) => String(number).padStart(11))].join(" "),
  );
  return [
    ...(rows.length === 0 ? [] : [...table, ""]),
    ...differences.flatMap(({ level, one, expected, found }) => [
      `${pc.bold(one.definition)} ${one.id} (${level})`,
      `  input    ${one.input.slice(0, 200)}`,
      `  expected ${JSON.stringify(expected).slice(0, 400)}`,
      `  found    ${JSON.stringify({ ...found, id: undefined }).slice(0, 400)}`,
    ]),
    `${profile}: ${count(cases, "case")}, ${count(required, "difference")} in verdict or value, ${recommended} in notes or issues only${unsupported === 0 ? "" : `, ${unsupported} unsupported`}`,
  ];
}
