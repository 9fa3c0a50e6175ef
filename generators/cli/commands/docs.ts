import type { AddCommand } from "../context.js";
import {
  addRunFlags,
  addSelectionFlags,
  parsePackageName,
  toOptions,
  type OutputFlags,
  type RunFlags,
  type SelectionFlags,
} from "../flags.js";

interface DocsFlags extends SelectionFlags, OutputFlags, RunFlags {}

export const addDocs: AddCommand = (program, context) => {
  addRunFlags(addSelectionFlags(program.command("docs")))
    .description("build the documentation pages below <folder>/site")
    .option(
      "--package <name>",
      "the npm name of the package in the pages (default: acp-bindings)",
      parsePackageName,
    )
    .action(async (flags: DocsFlags) => {
      const { runOutputs } = await import("../run-outputs.js");
      const config = { outputs: [{ ...toOptions(flags), targets: ["docs"] }] };
      context.exit(await runOutputs(config, flags, context, async () => config));
    });
};
