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

async function printWithMorph({
  head,
  interfaces = [],
  functions = [],
  tail,
}: SourceStructure): Promise<string> {
  const { Project } = await import("ts-morph");
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const file = project.createSourceFile("source.ts", head);
  file.addInterfaces([...interfaces]);
  file.addFunctions([...functions]);
  if (tail !== undefined) file.addStatements(tail);
  return file.getFullText();
}
