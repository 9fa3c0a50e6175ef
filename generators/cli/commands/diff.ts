import { Option } from "commander";
import { ExitCode, type AddCommand } from "../context.js";

/** The values of `--fail-on`: any change at all, changes that break somebody, or never. */
const FAIL_ON = ["safe", "type-breaking", "decode-breaking", "wire-breaking", "never"] as const;

interface DiffFlags {
  readonly format?: "text" | "markdown" | "json";
  readonly json?: boolean;
  readonly failOn?: (typeof FAIL_ON)[number];
}

export const addDiff: AddCommand = (program, { terminal, exit }) => {
  program
    .command("diff")
    .description(
      "compare two schemas: what changed, and whether it breaks senders or receivers; exit 1 when they differ, 2 when one cannot be read",
    )
    .argument(
      "<before>",
      "a profile's name, the path of a schema file, or <package>#<profile>,\nwhere the package is a folder or .tgz of acp-codegen, of generated\nbindings or of the official SDK: acp-bindings-1.0.0.tgz#v1",
    )
    .argument("<after>", "likewise")
    .addOption(
      new Option("--format <format>", "how to print it").choices(["text", "markdown", "json"]),
    )
    .addOption(new Option("--json", "the same as --format json").conflicts("format"))
    .addOption(
      new Option("--fail-on <impact>", "exit 1 for changes that are at least this bad").choices(
        FAIL_ON,
      ),
    )
    .helpOption("-h, --help", "print this help")
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const [{ diff }, { printComparison, reaches }] = await Promise.all([
        import("../../run/diff.js"),
        import("../print/comparison.js"),
      ]);
      const { format = "text", failOn = "safe" } = flags;
      const comparison = await diff(before, after);
      terminal.writeOut(printComparison(comparison, flags.json ? "json" : format));
      exit(reaches(comparison, failOn) ? ExitCode.no : ExitCode.done);
    });
};
