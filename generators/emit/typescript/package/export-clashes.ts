import type { Protocol } from "../../../model/protocol.js";
import { InputError } from "../../../schema/problem.js";
import type { EmittedFile } from "../../emitter.js";

/**
 * Rejects definitions whose identifier is also exported by another module of the profile: an
 * index that re-exports both would export neither.
 *
 * @param modules the modules that the index of the profile exports, except the types
 * @throws InputError with every such definition
 */
export function refuseExportClashes(
  { definitions }: Protocol,
  modules: readonly EmittedFile[],
): void {
  const exported = new Set([
    "received",
    "schemas",
    ...modules.flatMap(({ text }) => exportedNames(text)),
  ]);
  const clashes = definitions.filter(({ identifier }) => exported.has(identifier));
  if (clashes.length === 0) return;
  throw new InputError(
    clashes.map(({ name, identifier, file }) => ({
      ...(file !== undefined && { file }),
      message: `the definition "${name}" has the name of a generated export, ${identifier}`,
      hint: "Rename the definition.",
    })),
  );
}

function exportedNames(text: string): readonly string[] {
  const declared = text.matchAll(
    /^export (?:declare )?(?:async )?(?:interface|type|function|const|class|enum) (\w+)/gm,
  );
  return [...declared].map(([, name]) => name!);
}

/** Returns the names that the export lists of a module contain. */
export function listedExports(text: string): ReadonlySet<string> {
  const lists = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return new Set([...lists].flatMap(([, list]) => list!.match(/\w+(?=\s*(?:,|$))/g) ?? []));
}
