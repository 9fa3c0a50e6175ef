import { rmSync } from "node:fs";
import { generate } from "../../generators/run/generate/generate.js";
import { InputError } from "../../generators/schema/problem.js";

/** The fate of a document. */
export interface Outcome {
  readonly name: string;
  /** `made`, `refused: …` or `threw …`. */
  readonly end: string;
  /** Seconds of the processor. */
  readonly cpu: number;
  /** The most memory that the process has had so far, in megabytes. */
  readonly rss: number;
}

const { inputs, out } = JSON.parse(process.argv[2]!) as {
  inputs: readonly { name: string; kind: "schema" | "feature"; file: string }[];
  out: string;
};
for (const { name, kind, file } of inputs) {
  const before = process.cpuUsage();
  let end = "made";
  try {
    const input = kind === "schema" ? { schema: file } : { with: [file] };
    await generate({ out, protocol: "v1", ...input });
  } catch (error) {
    const { name: kind, message } = error as Error;
    end = error instanceof InputError ? `refused: ${message}` : `threw ${kind}: ${message}`;
  }
  const { user, system } = process.cpuUsage(before);
  const outcome: Outcome = {
    name,
    end: end.slice(0, 2_000),
    cpu: (user + system) / 1e6,
    rss: process.resourceUsage().maxRSS / 1024,
  };
  // One a line, so that what came before a crash is known.
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  rmSync(out, { recursive: true, force: true });
}
