import { parentPort } from "node:worker_threads";
import { printModule } from "./print-module.js";
import type { SourceStructure } from "./source-structure.js";

/** The worker thread of `printSource`. */
parentPort!.on("message", (structure: SourceStructure) => {
  parentPort!.postMessage(printModule(structure));
});
