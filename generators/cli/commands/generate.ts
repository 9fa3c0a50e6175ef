import type { ResolvedConfig } from "../../run/config.js";
import type { AddCommand } from "../context.js";
import {
  addConfigFlags,
  addRunFlags,
  addSelectionFlags,
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
  readonly printConfig?: boolean;
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
      "--package <name>",
      "the npm name of the package (default: acp-bindings)",
      parsePackageName,
    );
  addConfigFlags(command)
    .option("--print-config", "print the resolved configuration and exit")
    .action(async (flags: GenerateFlags) => {
      const [{ resolveConfig }, { runOutputs }] = await Promise.all([
        import("../../run/config.js"),
        import("../run-outputs.js"),
      ]);
      const options = toOptions(flags);
      const resolved = await resolveConfig(options, flags.config);
      if (flags.printConfig) {
        const { withDefaults } = await import("../../run/with-defaults.js");
        const outputs = resolved.outputs.map(withDefaults);
        return context.terminal.writeOut(JSON.stringify({ outputs }, null, 2));
      }
      // The same file from now on: without it, a later run must not generate every profile.
      const config = resolved.file ?? flags.config;
      const resolveAgain = (): Promise<ResolvedConfig> => resolveConfig(options, config);
      context.exit(await runOutputs(resolved, flags, context, resolveAgain));
    });
};

/** Lists the targets of a run without names, and the others. Imports the compiler, which takes long. */
async function describeTargets(): Promise<string> {
  const { TARGETS } = await import("../../targets.js");
  const names = (isOnRequest: boolean): string =>
    TARGETS.filter(({ onRequest = false }) => onRequest === isOnRequest)
      .map(({ name }) => name)
      .join(", ");
  return ` (by default ${names(false)}; on request ${names(true)})`;
}
