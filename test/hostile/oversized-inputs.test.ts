import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { listenTo } from "../support/processes.js";
import { OVERSIZED } from "./oversized-inputs.js";
import type { Outcome } from "./process-inputs.js";

const folder = temporaryFolder();
/** The limits: seconds of the processor for each, megabytes for those of one process. */
const MOST_CPU = 5;
const MOST_RSS = 512;

/** The quick run has every third input. */
const TRIED = OVERSIZED.filter((_, index) => IS_DEEP || index % 3 === 0);

/** So many a process: a collector that comes late would let them add up. */
const TOGETHER = 7;

const outcomes = new Map<string, Outcome>();
const ended: {
  readonly code: number | null;
  readonly signal: string | null;
  readonly err: string;
}[] = [];

beforeAll(async () => {
  const inputs = TRIED.map(({ name, kind = "schema", text }, index) => {
    const file = join(folder, `input-${index}.json`);
    writeFileSync(file, text());
    return { name, kind, file };
  });
  for (let first = 0; first < inputs.length; first += TOGETHER)
    await processInputs(inputs.slice(first, first + TOGETHER));
  // Other work of the machine makes it slower, so the best of a few counts.
  for (let round = 0; round < 2; round++)
    for (const input of inputs)
      if (outcomes.get(input.name)!.cpu >= MOST_CPU) await processInputs([input]);
  if (IS_DEEP)
    console.table([...outcomes.values()].map(({ name, cpu, rss }) => ({ name, cpu, rss })));
}, 500_000);

/** Processes some of them in a process of their own. */
async function processInputs(inputs: readonly object[]): Promise<void> {
  const work = JSON.stringify({ inputs, out: join(folder, "out") });
  const loader = join(ROOT, "node_modules/tsx/dist/loader.mjs");
  const child = spawn(
    process.execPath,
    ["--import", loader, join(ROOT, "test/hostile/process-inputs.ts"), work],
    { stdio: ["ignore", "pipe", "pipe"], timeout: 400_000, killSignal: "SIGKILL" },
  );
  const { code, out, err } = await listenTo(child).ended;
  ended.push({ code, signal: child.signalCode, err });
  for (const line of out.split("\n").filter((text) => text !== "")) {
    const outcome = JSON.parse(line) as Outcome;
    const { cpu = Infinity } = outcomes.get(outcome.name) ?? {};
    outcomes.set(outcome.name, { ...outcome, cpu: Math.min(cpu, outcome.cpu) });
  }
}

describe("a document that would be huge or endless", () => {
  test("neither crashes nor blocks the process", () => {
    for (const one of ended) expect(one).toEqual({ code: 0, signal: null, err: "" });
    expect([...outcomes.keys()]).toEqual(TRIED.map(({ name }) => name));
  });

  test.each(TRIED)("$name is refused or compiled within 5 s", ({ name, refusal }) => {
    const { end, cpu } = outcomes.get(name)!;
    if (refusal === undefined) expect(end).toBe("made");
    else expect(end).toMatch(/^refused: /);
    expect(end).toContain(refusal ?? "made");
    expect(cpu).toBeLessThan(MOST_CPU);
  });

  test("takes at most 512 MB, several of them in one process", () => {
    expect(Math.max(...[...outcomes.values()].map(({ rss }) => rss))).toBeLessThan(MOST_RSS);
  });
});
