import { Option, type Command } from "commander";
import type { Severity } from "../../schema/lint/rule.js";
import { folder, list } from "../flags.js";
import { annotate, ExitCode, say } from "../print/report.js";

interface LintFlags {
  readonly schema?: string;
  readonly rule?: string[];
  readonly failOn?: Severity;
  readonly list?: boolean;
  readonly json?: boolean;
}

/**
 * Adds the command `lint`.
 *
 * @param end takes the exit code of a run
 */
export function addLint(program: Command, end: (code: number) => void): void {
  program
    .command("lint")
    .description("hold modules and features against the conventions; exit 1 when they break one")
    .argument("[paths...]", "files or folders to tell about; a feature of your own as ./file.json")
    .option("--schema <folder>", "the folder with the schema (default: the tool's own)", folder)
    .option("--rule <ids>", "only these rules, joined by commas", list)
    .addOption(
      new Option("--fail-on <severity>", "exit 1 for findings that are at least this bad")
        .choices(["error", "warning"])
        .default("warning"),
    )
    .option("--list", "print the rules, and end")
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action(async (paths: string[], flags: LintFlags) => {
      const print = await import("../print/lint.js");
      if (flags.list) return say(flags.json ? print.printRulesAsJson() : print.printRules());
      const { lintPaths } = await import("../../run/lint.js");
      const { schema, rule: rules } = flags;
      const linted = lintPaths({ paths, ...(schema && { schema }), ...(rules && { rules }) });
      say(flags.json ? JSON.stringify(linted, null, 2) : print.printLinted(linted));
      if (!flags.json) annotate(print.lintAnnotations(linted.findings));
      const isBad = linted.findings.some(
        ({ severity }) => severity === "error" || flags.failOn === "warning",
      );
      end(isBad ? ExitCode.no : ExitCode.done);
    });
}
