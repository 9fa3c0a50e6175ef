import { buildProtocol } from "../../model/build/build.js";
import { checkBridges, findUnusedEntries } from "../../model/bridge/check-bridge.js";
import { loadBridge } from "../../schema/bridge/load-bridge.js";
import { compose } from "../../schema/compose.js";
import type { LintFinding } from "../../schema/lint/lint.js";
import { InputError, type Problem } from "../../schema/problem.js";
import type { ProtocolSource } from "../../schema/source/sources.js";
import { resolveInputs } from "../inputs/select-profiles.js";

/**
 * Builds the model of each version with all of its features, and reports what it cannot represent.
 *
 * @param isSound whether no other stage has found an error, so that one thrown here is ours
 */
export function lintModel(protocols: readonly ProtocolSource[], isSound: boolean): LintFinding[] {
  return protocols.flatMap((protocol) => {
    try {
      buildProtocol(compose(protocol, [...protocol.features.keys()]), {
        name: protocol.name,
        title: protocol.title,
        description: protocol.description,
      });
      return [];
    } catch (error) {
      if (!(error instanceof InputError)) {
        if (isSound) throw error;
        return [];
      }
      return error.problems.map((problem) => finding("model", problem, protocol.file));
    }
  });
}

/**
 * Checks the mapping between the versions against the named profiles: places that are neither
 * mapped nor named as lost, and entries without an effect.
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
  return [...problems, ...findUnusedEntries(source, protocols)].map((problem) =>
    finding("bridge-complete", problem, "schema/bridge"),
  );
}

/** Returns a problem as the finding of a rule that is always an error. */
export function finding(rule: string, problem: Problem, file: string): LintFinding {
  const { message, pointer = "", hint = "" } = problem;
  return {
    rule,
    severity: "error",
    file: problem.file ?? file,
    pointer,
    subject: pointer,
    message,
    hint,
  };
}
