import { formatRatio, type Report } from "../report.js";
import { summarize } from "../interleave.js";
import { measurePython } from "./measure-python.js";

interface Measured {
  readonly python: string;
  readonly updates: number;
  /** For each pair of a package and a transport, the CPU seconds of an update in each round. */
  readonly rounds: { readonly [name: string]: readonly number[] };
}

const BASE = "ours, stdio";

/** The most CPU time of an update, as a multiple of ours over stdio. */
const TARGETS = { "ours, web-socket": 1.3, "ours, http": 1.9 };

/** What a turn costs in Python over WebSocket and HTTP, beside our stdio. */
export function comparePythonRemote(): Report[] {
  const measured = measurePython<Measured>("measure_remote.py", "acp, httpx, uvicorn, websockets");
  if (measured === undefined) return [];
  const { python, updates, rounds } = measured;
  const medianOf = (name: string): number => summarize([...rounds[name]!]).median;
  const ratioOf = (name: string): number => medianOf(name) / medianOf(BASE);
  return [
    {
      title: `Python ${python}: a prompt turn over WebSocket and HTTP, per update`,
      notes: [
        "client and server are processes of this machine; CPU time of both, without their start; uvicorn, httpx and websockets; over WebSocket, ours without compression, as that of ws",
        `medians, and their ratios: ${rounds[BASE]!.length} interleaved rounds of ${updates} chunks of text`,
      ],
      columns: ["", "CPU, total", "of our stdio's"],
      rows: Object.keys(rounds).map((name) => [
        name,
        `${(medianOf(name) * 1e6).toFixed(1)} µs`,
        formatRatio(ratioOf(name)),
      ]),
      goals: Object.entries(TARGETS).map(([name, target]) => ({
        what: `Python, ${name}: CPU, of our stdio's`,
        bound: "at most",
        target,
        measured: ratioOf(name),
        unit: "×",
      })),
    },
  ];
}
