import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWithLibraries, HAS_GO, PEER, run, VERSION } from "../../go/toolchain.js";
import { ROOT } from "../../support/paths.js";
import { writeUpdates } from "../dispatch/updates.js";
import { summarize } from "../interleave.js";
import type { Goal, Report } from "../report.js";

/** What the program prints about the codecs. */
interface Codecs {
  readonly go: string;
  readonly messages: number;
  /** For each implementation, the nanoseconds of a message in each round. */
  readonly rounds: { readonly [name: string]: readonly number[] };
  readonly allocations: { readonly [name: string]: number };
}

const FILES = ["main", "codecs"];

/** The Go module beside encoding/json and the community module; without Go, no report and a line that says so. */
export async function compareGo(): Promise<Report[]> {
  if (!HAS_GO) {
    process.stdout.write("go: skipped, since go is not here\n\n");
    return [];
  }
  const source = (name: string): string =>
    readFileSync(join(ROOT, `test/bench/go/${name}.go.txt`), "utf8");
  const files = Object.fromEntries(FILES.map((name) => [`${name}.go`, source(name)]));
  const folder = mkdtempSync(join(tmpdir(), "acp-bench-"));
  const updates = await writeUpdates();
  try {
    const program = buildWithLibraries(folder, "bench", files);
    const { code, out, err } = run(program, [updates.file]);
    if (code !== 0) throw new Error(err);
    return [reportCodecs(JSON.parse(out) as Codecs)];
  } finally {
    updates.remove();
    rmSync(folder, { recursive: true });
  }
}

function reportCodecs({ go, messages, rounds, allocations }: Codecs): Report {
  const medians = new Map(
    Object.entries(rounds).map(([name, costs]) => [name, summarize(costs).median]),
  );
  const of = (name: string): number => medians.get(name)!;
  return {
    title: `${go}: the codec beside encoding/json and ${PEER} ${VERSION}`,
    notes: [
      `${messages} session updates of the streaming mix, decoded with defaults and checks`,
      "time and allocations of a message: medians of interleaved rounds",
    ],
    columns: ["", "median", "allocations"],
    rows: [...medians].map(([name, value]) => [
      name,
      `${value.toFixed(0)} ns`,
      allocations[name]!.toFixed(1),
    ]),
    goals: [
      atLeast("decode, faster than acp-go-sdk", 10, of("acp-go-sdk: decode") / of("decode")),
      atLeast("encode, faster than acp-go-sdk", 15, of("acp-go-sdk: encode") / of("encode")),
      atLeast(
        "decode, faster than json.Unmarshal to any",
        2.5,
        of("json.Unmarshal to any") / of("decode"),
      ),
      atLeast(
        "encode, faster than json.Marshal of any",
        3,
        of("json.Marshal of any") / of("encode"),
      ),
    ],
  };
}

function atLeast(what: string, target: number, measured: number): Goal {
  return { what, bound: "at least", target, measured, unit: "×" };
}
