import { Worker } from "node:worker_threads";
import { remember, type Memo } from "../../schema/memo.js";
import { printedCode, type Code } from "../code.js";
import type { SourceStructure } from "./source-structure.js";

/** Prints a module with ts-morph, which is loaded only for modules that are not in the cache. */
export async function printSource(structure: SourceStructure, memo?: Memo): Promise<Code> {
  return printedCode(await remember(memo, "ts-morph", structure, print));
}

type Print = (structure: SourceStructure) => Promise<string>;

let printer: Print | undefined;

/**
 * Loading ts-morph takes as long as printing all types, so a thread does it
 * meanwhile. Uncompiled sources, and a Node.js that permits no threads
 * (`--permission`), print in this thread.
 */
const print: Print = async (structure) => {
  if (!import.meta.url.endsWith(".ts")) {
    printer ??= tryToStartPrinter();
    if (printer !== undefined) return printer(structure);
  }
  return (await import("./print-module.js")).printModule(structure);
};

function tryToStartPrinter(): Print | undefined {
  try {
    return startPrinter();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_ACCESS_DENIED") return undefined;
    throw error;
  }
}

/** Starts a thread that prints modules in order. It keeps the process alive only while it prints. */
function startPrinter(): Print {
  const thread = new Worker(new URL("./print-thread.js", import.meta.url), {
    // The arguments of the process may not apply to a file, e.g. `--input-type`.
    execArgv: [],
    // Each module is garbage soon; a larger young generation would only collect it later.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  const waiting: { resolve: (text: string) => void; reject: (error: unknown) => void }[] = [];
  let cause: unknown = new Error("the thread that prints has ended");
  thread.on("message", (text: string) => {
    waiting.shift()!.resolve(text);
    if (waiting.length === 0) thread.unref();
  });
  thread.on("error", (error) => (cause = error));
  // This event follows an error, too.
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
