import { jsonPointer, nearest, type Problem } from "./problem.js";
import type { FeatureSource, ProtocolSource } from "./sources.js";

/**
 * Notes methods to stand behind that do not exist. A predecessor may be off,
 * but it must be in the base or in some feature.
 */
export function checkAfter(
  protocol: ProtocolSource,
  features: readonly FeatureSource[],
  problems: Problem[],
): void {
  const known = new Set(
    [...protocol.modules, ...protocol.features.values()].flatMap(({ methods }) =>
      methods.map(({ name }) => name),
    ),
  );
  for (const feature of features) {
    feature.methods.forEach(({ after = [] }, index) =>
      after.forEach((name, position) => {
        if (known.has(name)) return;
        const near = nearest(name, known);
        problems.push({
          file: feature.file,
          pointer: jsonPointer(["methods", index, "after", position]),
          message: `there is no method "${name}"`,
          hint: near ? `Did you mean "${near}"?` : "Name a method of the base or of a feature.",
        });
      }),
    );
  }
}
