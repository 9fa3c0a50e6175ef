import { createRequire } from "node:module";
import type { FunctionDeclarationStructure, InterfaceDeclarationStructure } from "ts-morph";
import type { SourceStructure } from "./source-structure.js";

// An import would have Node scan all of its 9 MB for names of exports.
const { Project, StructureKind } = createRequire(import.meta.url)(
  "ts-morph",
) as typeof import("ts-morph");

/** Prints a module with ts-morph. */
export function printModule({
  head,
  interfaces = [],
  functions = [],
  tail,
}: SourceStructure): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  // All at once: added one after the other, each would have the whole text parsed again.
  const statements = [
    head,
    ...interfaces.map((one): InterfaceDeclarationStructure => ({
      ...one,
      kind: StructureKind.Interface,
    })),
    ...functions.map((one): FunctionDeclarationStructure => ({
      ...one,
      kind: StructureKind.Function,
    })),
    ...(tail === undefined ? [] : [tail]),
  ];
  return project.createSourceFile("source.ts", { statements }).getFullText();
}
