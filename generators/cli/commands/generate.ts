import type { ResolvedConfig } from "../../run/config.js";
import type { AddCommand } from "../context.js";
import {
  addConfigFlags,
  addPrintFlag,
  addRunFlags,
  addSelectionFlags,
  parseImportExtension,
  parseLayout,
  parseList,
  parsePackageName,
  toOptions,
  type OutputFlags,
  type RunFlags,
  type SelectionFlags,
} from "../flags.js";

interface GenerateFlags extends SelectionFlags, OutputFlags, RunFlags {
  readonly config?: string | false;
}

export const addGenerate: AddCommand = async (program, context) => {
  const isHelp = context.args.some((arg) => arg === "-h" || arg === "--help");
  const targets = isHelp ? await describeTargets() : "";
  const command = addRunFlags(addSelectionFlags(program.command("generate")))
    .description("compose the profiles and update the output folder")
    .option("-t, --target <names...>", `targets to generate, or ./a-target.js${targets}`, parseList)
    .option(
      "--layout <layout>",
      "package (default), or flat for a folder in your sources",
      parseLayout,
    )
    .option(
      "--import-extension <extension>",
      "in imports of the flat layout: js (default), or ts to run sources without a build",
      parseImportExtension,
    )
    .option(
      "--package <name>",
      "the npm name of the package (default: acp-bindings)",
      parsePackageName,
    );
  addPrintFlag(addConfigFlags(command)).action(async (flags: GenerateFlags) => {
    const [{ resolveConfig }, { runOutputs }] = await Promise.all([
      import("../../run/config.js"),
      import("../run-outputs.js"),
    ]);
    const options = toOptions(flags);
    const resolved = await resolveConfig(options, flags.config);
    if (flags.printConfig) {
      const { printConfig } = await import("../../run/with-defaults.js");
      return context.terminal.writeOut(printConfig(resolved.outputs));
    }
    // The same file from now on: without it, a later run must not generate every profile.
    const config = resolved.file ?? flags.config;
    const resolveAgain = (): Promise<ResolvedConfig> => resolveConfig(options, config);
    context.exit(await runOutputs(resolved, flags, context, resolveAgain));
  });
};

/** Lists the targets of a run without names, and the others. Imports the compiler, which takes long. */
async function describeTargets(): Promise<string> {
  const { targetNames } = await import("../../run/targets/select-targets.js");
  const [usual, others] = [false, true].map((is) => targetNames(is).join(", "));
  return ` (by default ${usual}; on request ${others})`;
}
