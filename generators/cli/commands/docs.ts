import { InvalidArgumentError } from "commander";
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

interface DocsFlags extends SelectionFlags, OutputFlags, RunFlags {
  readonly siteUrl?: string;
}

export const addDocs: AddCommand = (program, context) => {
  addRunFlags(addSelectionFlags(program.command("docs")))
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
    )
    .action(async (flags: DocsFlags) => {
      const { runOutputs } = await import("../run-outputs.js");
      const { siteUrl } = flags;
      const output = { ...toOptions(flags), ...(siteUrl !== undefined && { siteUrl }) };
      const config = { outputs: [{ ...output, targets: ["docs"] }] };
      context.exit(await runOutputs(config, flags, context, async () => config));
    });
};

/** @throws InvalidArgumentError for anything but an https address without a query */
function parseSiteUrl(value: string): string {
  if (!/^https:\/\/[a-z0-9.-]+(:\d+)?(\/[\w.~-]+)*\/?$/.test(value))
    throw new InvalidArgumentError("Expected an https address, e.g. https://example.org/acp.");
  return value.replace(/\/$/, "");
}
