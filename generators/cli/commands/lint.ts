import { Option } from "commander";
import type { Severity } from "../../schema/lint/rule.js";
import { ExitCode, type AddCommand } from "../context.js";
import { parseFolder, parseList } from "../flags.js";

interface LintFlags {
  readonly schemaDirectory?: string;
  readonly rule?: string[];
  readonly failOn: Severity;
  readonly list?: boolean;
  readonly json?: boolean;
}

export const addLint: AddCommand = (program, { terminal, exit }) => {
  program
    .command("lint")
    .description("check modules and features against the conventions; exit 1 for findings")
    .argument("[paths...]", "files or folders to report about; your own feature as ./file.json")
    .option("--schema-directory <folder>", "the schema (default: the tool's own)", parseFolder)
    .option("--rule <ids>", "only these rules, joined by commas", parseList)
    .addOption(
      new Option("--fail-on <severity>", "exit 1 for findings that are at least this bad")
        .choices(["error", "warning"])
        .default("warning"),
    )
    .option("--list", "print the rules and exit")
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action(async (paths: string[], flags: LintFlags) => {
      const { lintAnnotations, printLinted, printRules } = await import("../print/lint.js");
      const { schemaDirectory, rule: rules, json = false } = flags;
      if (flags.list) return terminal.writeOut(printRules(json));
      const { lintPaths } = await import("../../run/lint/lint.js");
      const linted = lintPaths({
        paths,
        ...(schemaDirectory && { schemaDirectory }),
        ...(rules && { rules }),
      });
      terminal.writeOut(json ? JSON.stringify(linted, null, 2) : printLinted(linted));
      if (!json) terminal.annotate(lintAnnotations(linted.findings));
      const isBad = linted.findings.some(
        ({ severity }) => severity === "error" || flags.failOn === "warning",
      );
      exit(isBad ? ExitCode.no : ExitCode.done);
    });
};
