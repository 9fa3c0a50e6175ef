import { buildProtocol } from "../model/build/build.js";
import { checkBridges, findUnusedEntries } from "../model/bridge/check-bridge.js";
import { loadBridge } from "../schema/bridge/load-bridge.js";
import type { LintFinding } from "../schema/lint/lint.js";
import { resolveInputs } from "./inputs/select-profiles.js";

/** The id under which lint reports the mapping between the versions. */
const RULE = "bridge-complete";

/**
 * Holds the mapping between the versions against the named profiles: places that are neither mapped
 * nor named as lost, and entries without an effect.
 *
 * @param directory the `schema/` folder; one without a mapping has no findings
 */
export function lintBridge(directory: string): LintFinding[] {
  const source = loadBridge(directory);
  if (source === undefined) return [];
  const protocols = resolveInputs({}, directory).map(({ bundle, profile }) =>
    buildProtocol(bundle, profile),
  );
  const { problems } = checkBridges(source, protocols);
  return [...problems, ...findUnusedEntries(source, protocols)].map(
    ({ file = "schema/bridge", pointer = "", message, hint = "" }) => ({
      rule: RULE,
      severity: "error",
      file,
      pointer,
      subject: pointer,
      message,
      hint,
    }),
  );
}
