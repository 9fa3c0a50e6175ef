import { createRequire } from "node:module";
import type {
  FunctionDeclarationStructure,
  InterfaceDeclarationStructure,
  OptionalKind,
} from "ts-morph";
import { printedCode, type Code } from "./code.js";
import { remember, type Memo } from "../schema/memo.js";

/** A TypeScript module as data, for ts-morph to print. */
export interface SourceStructure {
  /** Its imports, and what else stands first. */
  readonly head: Code;
  readonly interfaces?: readonly OptionalKind<InterfaceDeclarationStructure>[];
  readonly functions?: readonly OptionalKind<FunctionDeclarationStructure>[];
  /** What stands last. */
  readonly tail?: Code;
}

/** Prints a module with ts-morph, which is loaded when there is something that it has not printed yet. */
export async function printSource(structure: SourceStructure, memo?: Memo): Promise<Code> {
  return printedCode(await remember(memo, "ts-morph", structure, printWithMorph));
}

function printWithMorph({ head, interfaces = [], functions = [], tail }: SourceStructure): string {
  // An import would have Node look through all of its 9 MB for names of exports.
  const { Project, StructureKind } = createRequire(import.meta.url)(
    "ts-morph",
  ) as typeof import("ts-morph");
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
