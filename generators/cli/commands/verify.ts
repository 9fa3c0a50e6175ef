import type { Verified } from "../../run/verify/verify.js";
import type { OutputFolder } from "../../run/verify/configured-folders.js";
import { ExitCode, type AddCommand } from "../context.js";
import { addConfigFlags, parseList, parseOnce, toOptions } from "../flags.js";

interface VerifyFlags {
  readonly config?: string | false;
  readonly quick?: boolean;
  readonly with?: string[];
  readonly target?: string[];
  readonly schema?: string;
  readonly meta?: string;
  readonly json?: boolean;
}

export const addVerify: AddCommand = (program, { terminal, exit }) => {
  const command = program
    .command("verify")
    .description("check that output folders are complete and match their inputs")
    .argument("[folder]", "the output folder (default: those of the configuration, or out)")
    .option("--quick", "compare with the manifest only, without generating")
    .option("--with <files...>", "your feature files that it was generated from", parseList)
    .option("--target <files...>", "your targets that have generated files of it", parseList)
    .option("--schema <file>", "the imported schema that it was generated from", parseOnce)
    .option("--meta <file>", "its meta.json", parseOnce)
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help");
  addConfigFlags(command).action(
    async (named: string | undefined, { quick = false, json, config, ...flags }: VerifyFlags) => {
      const [{ verify }, { printVerified }] = await Promise.all([
        import("../../run/verify/verify.js"),
        import("../print/verify.js"),
      ]);
      const options = toOptions(flags);
      const isNamed = named !== undefined || Object.keys(options).length > 0;
      if (isNamed && typeof config === "string") {
        const { usageError } = await import("../../run/messages.js");
        const message = "the flags and the configuration both say what to verify";
        throw usageError(message, "Remove --config, or the folder and the other flags.");
      }
      const folders = isNamed ? undefined : await readFolders(config);
      const results: { readonly folder: string; readonly verified: Verified }[] = [];
      for (const { folder, options: own } of folders ?? [{ folder: named ?? "out", options }])
        results.push({ folder, verified: await verify(folder, { quick, ...own }) });
      const outputs = results.map(({ folder, verified }) => ({ out: folder, ...verified }));
      const document = folders === undefined ? results[0]!.verified : { outputs };
      terminal.writeOut(
        json
          ? JSON.stringify(document, null, 2)
          : results.map(({ folder, verified }) => printVerified(verified, folder)).join("\n"),
      );
      const isSound = results.every(({ verified }) => verified.findings.length === 0);
      exit(isSound ? ExitCode.done : ExitCode.no);
    },
  );
};

/** Returns the folders of the configuration; undefined without one. */
async function readFolders(
  config: string | false | undefined,
): Promise<readonly OutputFolder[] | undefined> {
  const [{ resolveConfig }, { configuredFolders }] = await Promise.all([
    import("../../run/config.js"),
    import("../../run/verify/configured-folders.js"),
  ]);
  const { outputs, file } = await resolveConfig({}, config);
  return file === undefined ? undefined : configuredFolders(outputs);
}
