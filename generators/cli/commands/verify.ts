import { ExitCode, type AddCommand } from "../context.js";
import { parseList, parseOnce, toOptions } from "../flags.js";

interface VerifyFlags {
  readonly quick?: boolean;
  readonly with?: string[];
  readonly target?: string[];
  readonly schema?: string;
  readonly meta?: string;
  readonly json?: boolean;
}

export const addVerify: AddCommand = (program, { terminal, exit }) => {
  program
    .command("verify")
    .description("check that an output folder is complete and matches its inputs")
    .argument("[folder]", "the output folder", "out")
    .option("--quick", "compare with the manifest only, without generating")
    .option("--with <files...>", "your feature files that it was generated from", parseList)
    .option("--target <files...>", "your targets that have generated files of it", parseList)
    .option("--schema <file>", "the imported schema that it was generated from", parseOnce)
    .option("--meta <file>", "its meta.json", parseOnce)
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action(async (folder: string, { quick = false, json, ...flags }: VerifyFlags) => {
      const [{ verify }, { printVerified }] = await Promise.all([
        import("../../run/verify/verify.js"),
        import("../print/verify.js"),
      ]);
      const verified = await verify(folder, { quick, ...toOptions(flags) });
      terminal.writeOut(json ? JSON.stringify(verified, null, 2) : printVerified(verified, folder));
      exit(verified.findings.length === 0 ? ExitCode.done : ExitCode.no);
    });
};
