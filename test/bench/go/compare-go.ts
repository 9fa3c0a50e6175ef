import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProgram, HAS_GO, run } from "../../go/toolchain.js";
import { ROOT } from "../../support/paths.js";
import { writeUpdates } from "../dispatch/updates.js";
import type { Goal, Report } from "../report.js";

interface Measured {
  readonly go: string;
  readonly messages: number;
  /** For each implementation, the nanoseconds of a message in each round. */
  readonly rounds: { readonly [name: string]: readonly number[] };
  readonly allocations: { readonly [name: string]: number };
}

/** The Go module beside encoding/json; without Go, no report and a line that says so. */
export async function compareGo(): Promise<Report[]> {
  if (!HAS_GO) {
    process.stdout.write("go: skipped, since go is not here\n\n");
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), "acp-go-"));
  const updates = await writeUpdates();
  try {
    const main = readFileSync(join(ROOT, "test/bench/go/main.go.txt"), "utf8");
    const program = buildProgram(folder, { "bench/main.go": main }, "bench");
    const { out, err } = run(program, [updates.file]);
    if (err !== "") throw new Error(err);
    return [report(JSON.parse(out) as Measured)];
  } finally {
    updates.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report({ go, messages, rounds, allocations }: Measured): Report {
  const minima = new Map(Object.entries(rounds).map(([name, costs]) => [name, Math.min(...costs)]));
  const of = (name: string): number => minima.get(name)!;
  const faster = (what: string, target: number, measured: number): Goal => ({
    what,
    bound: "at least",
    target,
    measured,
    unit: "×",
  });
  return {
    title: `${go}: the Go module beside encoding/json`,
    notes: [`${messages} session updates of the streaming mix; time and allocations of a message`],
    columns: ["", "minimum", "allocations"],
    rows: [...minima].map(([name, value]) => [
      name,
      `${value.toFixed(0)} ns`,
      allocations[name]!.toFixed(1),
    ]),
    goals: [
      faster(
        "decode, faster than json.Unmarshal to any",
        2.5,
        of("json.Unmarshal to any") / of("decode"),
      ),
      faster(
        "encode, faster than json.Marshal of any",
        3,
        of("json.Marshal of any") / of("encode"),
      ),
    ],
  };
}
