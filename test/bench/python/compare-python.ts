import { writeUpdates } from "../dispatch/updates.js";
import { summarize } from "../interleave.js";
import type { Goal, Report } from "../report.js";
import { measurePython } from "./measure-python.js";

interface Measured {
  readonly python: string;
  readonly messages: number;
  /** For each implementation, the seconds, or bytes, of a message in each round. */
  readonly rounds: { readonly [name: string]: readonly number[] };
}

/** The Python package beside the official one; no report without Python and the packages. */
export async function comparePython(): Promise<Report[]> {
  const updates = await writeUpdates();
  try {
    const measured = measurePython<Measured>("measure.py", "acp, pydantic", [updates.file]);
    return measured === undefined ? [] : [report(measured)];
  } finally {
    updates.remove();
  }
}

function report({ python, messages, rounds }: Measured): Report {
  const medians = new Map(
    Object.entries(rounds).map(([name, costs]) => [name, summarize([...costs]).median]),
  );
  const of = (name: string): number => medians.get(name)!;
  const asyncio = of("import asyncio");
  // The official package is faster on newer interpreters, of which asyncio is a part.
  const dispatch = Number(python.split(".")[1]) < 13 ? 2.5 : 2;
  const goal = (
    what: string,
    bound: Goal["bound"],
    target: number,
    measured: number,
    unit = "×",
  ): Goal => ({ what, bound, target, measured, unit });
  return {
    title: `Python ${python}: the package beside the official one`,
    notes: [
      `${messages} session updates of the streaming mix; CPU time of a message, and bytes that it keeps in memory`,
    ],
    columns: ["", "median"],
    rows: [...medians].map(([name, value]) => [
      name,
      name.endsWith("bytes kept") ? `${value.toFixed(0)} B` : `${(value * 1e6).toFixed(2)} µs`,
    ]),
    goals: [
      goal(
        "decode, faster than the official package",
        "at least",
        2,
        of("official decode") / of("decode"),
      ),
      goal("decode, of json.loads", "at most", 1.5, of("decode") / of("json.loads")),
      goal(
        "encode of a mix with command lists, faster than the official package",
        "at least",
        2,
        of("official encode") / of("encode"),
      ),
      goal(
        "import of an agent, above asyncio",
        "at most",
        20,
        (of("import of an agent") - asyncio) * 1e3,
        " ms",
      ),
      ...["dispatch", "dispatch in memory"].map((name) =>
        goal(
          `${name} of an update, both sides, faster than the official package`,
          "at least",
          dispatch,
          of(`official ${name}`) / of(name),
        ),
      ),
      goal(
        "bytes kept of an update, of the official package's",
        "at most",
        0.5,
        of("bytes kept") / of("official bytes kept"),
      ),
    ],
  };
}
