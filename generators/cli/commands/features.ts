import { SCHEMA } from "../../run/installation.js";
import type { AddCommand } from "../context.js";
import { parseOnce } from "../flags.js";

interface FeaturesFlags {
  readonly protocol?: string;
  readonly json?: boolean;
}

export const addFeatures: AddCommand = (program, { terminal }) => {
  program
    .command("features")
    .description("list the features: status, proposal, what they add and require")
    .option("--protocol <version>", "only those of one protocol version, e.g. v1", parseOnce)
    .option("--json", "print JSON")
    .helpOption("-h, --help", "print this help")
    .action(async ({ protocol, json }: FeaturesFlags) => {
      const [{ listFeatures }, { printFeatures }] = await Promise.all([
        import("../../run/features.js"),
        import("../print/features.js"),
      ]);
      const features = listFeatures(SCHEMA, protocol);
      terminal.writeOut(json ? JSON.stringify(features, null, 2) : printFeatures(features));
    });
};
