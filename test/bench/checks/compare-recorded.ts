import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { interleave, type Implementation, type Result } from "../interleave.js";
import { ROOT } from "../paths.js";
import {
  cpuRatio,
  findResult,
  formatRatio,
  roundsNote,
  type Goal,
  type Report,
} from "../report.js";
import { calling, checkOf, DECODERS, loadLibraries, ZOD, type Check } from "./libraries.js";

const ROUNDS = { warmup: 3, measured: 15 };
/** Microseconds of CPU time that a turn takes. */
const TURN = 20_000;
const ALL = "all";

/** Messages of live turns with agents from npm. */
const FIXTURE = join(ROOT, "test/fixtures/recorded.ndjson");
/** Messages from public recordings of agents and editors, which are not part of the repository. */
const EXTRA = join(ROOT, "../shared/fixtures/recorded.ndjson");

/** A recorded params or result. */
interface Recorded {
  readonly version: string;
  readonly kind: string;
  readonly method: string;
  readonly def: string | null;
  readonly payload: { readonly update?: { readonly sessionUpdate?: string } } | null;
}

/**
 * The messages of recorded traffic by kind: the cost of a decode beside that of `JSON.parse`.
 *
 * @returns a report for each set of recordings that is there
 */
export async function compareRecorded(): Promise<Report[]> {
  const title = "Checks: recorded traffic, by kind of message";
  const reports = [await compareSet(`${title}, test/fixtures/recorded.ndjson`, FIXTURE)];
  if (existsSync(EXTRA)) reports.push(await compareSet(`${title}, public recordings`, EXTRA));
  return reports;
}

async function compareSet(title: string, file: string): Promise<Report> {
  const libraries = await loadLibraries();
  const [decoders, zod] = [DECODERS, ZOD].map((name) =>
    libraries.find((library) => library.name === name)!,
  );
  const recordings = loadRecordings(file).filter(
    ({ def }) => decoders!.checkOf(def!) !== undefined && zod!.checkOf(def!) !== undefined,
  );
  const kinds = new Map<string, Recorded[]>();
  for (const message of recordings) {
    const kind = kindOf(message);
    kinds.set(kind, [...(kinds.get(kind) ?? []), message]);
  }
  kinds.set(ALL, recordings);
  const implementations = [...kinds].flatMap(([kind, messages]): Implementation[] => {
    const running = (name: string, checkFor: (def: string) => Check, parses: boolean) =>
      calling(
        `${kind} ${name}`,
        messages.map(({ def, payload }) => {
          const check = checkFor(def!);
          return parses
            ? {
                check: (text: unknown) => check(JSON.parse(text as string)),
                value: JSON.stringify(payload),
              }
            : { check, value: payload };
        }),
        TURN,
      );
    // A message that a peer refuses takes its time, too.
    const always =
      (check: Check): Check =>
      (value) => (check(value), true);
    return [
      running("parse", () => () => true, true),
      running("parse and decode", (def) => always(checkOf(decoders!, def)), true),
      running("decode", (def) => always(checkOf(decoders!, def)), false),
      running("zod", (def) => always(checkOf(zod!, def)), false),
    ];
  });
  const results = interleave(implementations, ROUNDS);
  const figures = [...kinds.keys()].map((kind) => figuresOf(kind, results));
  const all = figures.find(({ kind }) => kind === ALL)!;
  const worst = figures.reduce((one, two) => (two.timesParsing > one.timesParsing ? two : one));
  return {
    title,
    notes: [`${kinds.get(ALL)!.length} messages of version 1`, roundsNote(ROUNDS)],
    columns: ["kind", "messages", "decode", "times parsing", "vs zod"],
    rows: figures
      .sort((one, two) => two.timesParsing - one.timesParsing)
      .map(({ kind, decode, timesParsing, zodRatio }) => [
        kind,
        `${kinds.get(kind)!.length}`,
        `${(decode * 1e6).toFixed(2)} µs`,
        `${timesParsing.toFixed(2)}×`,
        formatRatio(zodRatio),
      ]),
    goals: [
      atMost("parse and decode, times parse, over all", 1.15, all.timesParsing),
      atMost(`the same for the slowest kind, ${worst.kind}`, 2, worst.timesParsing),
      { ...atMost("zod, times decode, over all", 50, all.zodRatio), bound: "at least" },
    ],
  };
}

interface Figures {
  readonly kind: string;
  /** In seconds. */
  readonly decode: number;
  readonly timesParsing: number;
  readonly zodRatio: number;
}

function figuresOf(kind: string, results: readonly Result[]): Figures {
  const of = (name: string): Result => findResult(results, `${kind} ${name}`);
  return {
    kind,
    decode: of("decode").cpu.median,
    timesParsing: cpuRatio(of("parse and decode"), of("parse")),
    zodRatio: cpuRatio(of("zod"), of("decode")),
  };
}

function atMost(what: string, target: number, measured: number): Goal {
  return { what, bound: "at most", target, measured, unit: "×" };
}

function loadRecordings(file: string): Recorded[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Recorded)
    .filter(({ version, def, payload }) => version === "v1" && def !== null && payload !== null);
}

function kindOf({ method, kind, payload }: Recorded): string {
  return payload?.update?.sessionUpdate ?? `${method} ${kind}`;
}
