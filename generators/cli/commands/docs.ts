import { InvalidArgumentError } from "commander";
import type { ResolvedConfig } from "../../run/config.js";
import type { AddCommand } from "../context.js";
import {
  addConfigFlags,
  addPrintFlag,
  addRunFlags,
  addSelectionFlags,
  parsePackageName,
  toOptions,
  type OutputFlags,
  type RunFlags,
  type SelectionFlags,
} from "../flags.js";

interface DocsFlags extends SelectionFlags, OutputFlags, RunFlags {
  readonly config?: string | false;
  readonly siteUrl?: string;
}

export const addDocs: AddCommand = (program, context) => {
  const command = addRunFlags(addSelectionFlags(program.command("docs")))
    .description("build the documentation pages below <folder>/site")
    .option(
      "--package <name>",
      "the npm name of the package in the pages (default: acp-bindings)",
      parsePackageName,
    )
    .option(
      "--site-url <address>",
      "where the site will be, e.g. https://example.org/acp; adds sitemap.xml",
      parseSiteUrl,
    );
  addPrintFlag(addConfigFlags(command)).action(async (flags: DocsFlags) => {
    const [{ resolveConfig }, { siteOutputs }, { runOutputs }] = await Promise.all([
      import("../../run/config.js"),
      import("../../run/site-outputs.js"),
      import("../run-outputs.js"),
    ]);
    const options = toOptions(flags);
    const resolve = async (config: DocsFlags["config"]): Promise<ResolvedConfig> =>
      await siteOutputs(await resolveConfig(options, config), flags.siteUrl);
    const resolved = await resolve(flags.config);
    if (flags.printConfig) {
      const { printConfig } = await import("../../run/with-defaults.js");
      return context.terminal.writeOut(printConfig(resolved.outputs));
    }
    // The same file from now on: without it, a later run must not build every profile.
    const config = resolved.file ?? flags.config;
    context.exit(await runOutputs(resolved, flags, context, () => resolve(config)));
  });
};

/** @throws InvalidArgumentError for anything but an https address without a query */
function parseSiteUrl(value: string): string {
  if (!/^https:\/\/[a-z0-9.-]+(:\d+)?(\/[\w.~-]+)*\/?$/.test(value))
    throw new InvalidArgumentError("Expected an https address, e.g. https://example.org/acp.");
  return value.replace(/\/$/, "");
}
