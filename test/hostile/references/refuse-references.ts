import { writeFileSync } from "node:fs";
import { generate } from "../../../generators/run/generate/generate.js";
import { InputError } from "../../../generators/schema/problem.js";

/** The result of a run with one document. */
export interface Refusal {
  /** Each as it is printed; none when it was not refused. */
  readonly problems: readonly string[];
  /** The files opened since the document was written, except the tool's own. */
  readonly paths: readonly string[];
  readonly addresses: readonly string[];
  /** Milliseconds of the processor. */
  readonly cpu: number;
}

/** Documents as schemas of their own or as feature files, in the order of their runs. */
export interface Assignment {
  readonly kind: "schema" | "feature";
  readonly file: string;
  readonly document: unknown;
}

const { seenIo } = globalThis as unknown as {
  readonly seenIo: { paths: string[]; addresses: string[] };
};

async function run({ kind, file, document }: Assignment, out: string): Promise<Refusal> {
  writeFileSync(file, JSON.stringify(document));
  seenIo.paths.length = 0;
  const before = process.cpuUsage();
  let problems: readonly string[] = [];
  try {
    const input = kind === "schema" ? { schema: file } : { with: [file] };
    await generate({ out, protocol: "v1", ...input });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems = error.message.split("\n");
  }
  const { user, system } = process.cpuUsage(before);
  return {
    problems,
    paths: [...new Set(seenIo.paths)],
    addresses: [...seenIo.addresses],
    cpu: (user + system) / 1000,
  };
}

const { assignments, out } = JSON.parse(process.argv[2]!) as {
  assignments: readonly Assignment[];
  out: string;
};
// Modules that are loaded when they are first needed do not count.
await run(assignments[0]!, out);
const refusals: Refusal[] = [];
for (const assignment of assignments) refusals.push(await run(assignment, out));
process.stdout.write(JSON.stringify(refusals));
