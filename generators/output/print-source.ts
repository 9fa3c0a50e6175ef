import type {
  FunctionDeclarationStructure,
  InterfaceDeclarationStructure,
  OptionalKind,
} from "ts-morph";
import { Worker } from "node:worker_threads";
import { remember, type Memo } from "../schema/memo.js";
import { printedCode, type Code } from "./code.js";

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
  return printedCode(await remember(memo, "ts-morph", structure, print));
}

type Print = (structure: SourceStructure) => Promise<string>;

let printer: Print | undefined;

/** Loading ts-morph takes as long as printing all types, so it is done beside that. */
const print: Print = async (structure) => {
  // A thread cannot run the sources as they are.
  if (import.meta.url.endsWith(".ts")) {
    return (await import("./morph.js")).printWithMorph(structure);
  }
  printer ??= startPrinter();
  return printer(structure);
};

/** A thread that prints what it is sent in order, and keeps the process alive only meanwhile. */
function startPrinter(): Print {
  const thread = new Worker(new URL("./print-thread.js", import.meta.url), {
    // It lets go of one module after the other; with the usual room it would first pile them up.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  const waiting: { resolve: (text: string) => void; reject: (error: unknown) => void }[] = [];
  thread.on("message", (text: string) => {
    waiting.shift()!.resolve(text);
    if (waiting.length === 0) thread.unref();
  });
  thread.on("error", (error) => {
    printer = undefined;
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  return (structure) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      thread.ref();
      thread.postMessage(structure);
    });
}
