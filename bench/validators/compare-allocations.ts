import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Report } from "../report.js";
import { DECODERS, OURS, ZOD } from "./libraries.js";
import type { Allocations } from "./measure-allocations.js";

const SCRIPT = fileURLToPath(new URL("measure-allocations.ts", import.meta.url));

/** Young enough for a pass over the mix to end before the collector has to run. */
const FLAGS = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];

/** What a check of a valid message leaves on the heap. */
export function compareAllocations(): Report {
  const args = [...FLAGS, "--import", "tsx", SCRIPT];
  const { bytes, messages, noted } = JSON.parse(
    execFileSync(process.execPath, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  ) as Allocations;
  const result = bytes["a result object alone"]!;
  return {
    title: "Validators: memory allocated for a valid message of the streaming mix",
    notes: [
      "growth of V8's heap while no collection runs, by messages; results are kept, so that none is optimized away",
      `${noted} of ${messages} messages are decoded with a note, since something in them is not known`,
    ],
    columns: ["validator", "bytes per message", "share of zod's"],
    rows: Object.entries(bytes).map(([name, each]) => [
      name,
      each.toFixed(1),
      `${((100 * each) / bytes[ZOD]!).toFixed(2)} %`,
    ]),
    goals: [
      {
        what: "decode allocates besides its result object",
        bound: "at most",
        target: 1,
        measured: bytes[DECODERS]! - result,
        unit: " bytes",
      },
      {
        what: "validate allocates",
        bound: "at most",
        target: 1,
        measured: bytes[OURS]!,
        unit: " bytes",
      },
    ],
  };
}
