import type { BundleDefinition } from "../compose/bundle.js";
import { jsonPointer, type Problem } from "../problem.js";
import type { PublishedNames } from "../source/sources.js";

/** Notes definitions that would take the published name of a part of another definition. */
export function checkPartNames(
  definitions: ReadonlyMap<string, BundleDefinition>,
  partNames: PublishedNames,
  problems: Problem[],
): void {
  for (const [path, name] of Object.entries(partNames)) {
    const file = definitions.get(name)?.file;
    if (file === undefined) continue;
    problems.push({
      file,
      pointer: jsonPointer(["$defs", name]),
      message: `"${name}" is the name of ${path} in generated code`,
      hint: "Rename the definition.",
    });
  }
}
