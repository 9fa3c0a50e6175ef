import { parentPort } from "node:worker_threads";
import { printWithMorph } from "./morph.js";
import type { SourceStructure } from "./print-source.js";

/** What runs in the thread of `printSource`. */
parentPort!.on("message", (structure: SourceStructure) => {
  parentPort!.postMessage(printWithMorph(structure));
});
