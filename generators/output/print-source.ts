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

/**
 * Loading ts-morph takes as long as printing all types, so it is done beside
 * that, in a thread. Sources that are run as they are, and a Node that permits
 * no threads (`--permission`), print without one.
 */
const print: Print = async (structure) => {
  if (!import.meta.url.endsWith(".ts")) {
    printer ??= tryToStartPrinter();
    if (printer !== undefined) return printer(structure);
  }
  return (await import("./morph.js")).printWithMorph(structure);
};

function tryToStartPrinter(): Print | undefined {
  try {
    return startPrinter();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_ACCESS_DENIED") return undefined;
    throw error;
  }
}

/** A thread that prints what it is sent in order, and keeps the process alive only meanwhile. */
function startPrinter(): Print {
  const thread = new Worker(new URL("./print-thread.js", import.meta.url), {
    // Those of the process may not be for a file: `--input-type` is not.
    execArgv: [],
    // It lets go of one module after the other; with the usual room it would first pile them up.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  const waiting: { resolve: (text: string) => void; reject: (error: unknown) => void }[] = [];
  let cause: unknown = new Error("the thread that prints has ended");
  thread.on("message", (text: string) => {
    waiting.shift()!.resolve(text);
    if (waiting.length === 0) thread.unref();
  });
  thread.on("error", (error) => (cause = error));
  // After an error as well.
  thread.on("exit", () => {
    printer = undefined;
    for (const { reject } of waiting.splice(0)) reject(cause);
  });
  return (structure) =>
    new Promise((resolve, reject) => {
      thread.postMessage(structure);
      thread.ref();
      waiting.push({ resolve, reject });
    });
}
