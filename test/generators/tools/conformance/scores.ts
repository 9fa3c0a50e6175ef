import { KINDS } from "../../../../generators/tools/conformance/codec/kinds.js";
import { PYTHON, PYTHON_ENV } from "../../../python/python-env.js";
import { runCommand } from "../../cli/run-command.js";

/** The codecs whose scores the guide publishes, by the names that it has for them. */
export const SCORED = {
  "`acp-bindings`, TypeScript": ["node", "own-codec.mjs"],
  "`acp-bindings`, Python": [PYTHON, "python-codec.py"],
  "`@agentclientprotocol/sdk`": ["node", "official-codec.mjs"],
  "`agent-client-protocol`, Python": [PYTHON, "official-codec.py"],
} as const satisfies { readonly [name: string]: readonly [program: string, file: string] };

export type Scored = keyof typeof SCORED;

/** The result of a codec: the numbers of the first table, and of each kind in the second one. */
export interface Score {
  readonly counts: readonly number[];
  readonly kinds: ReadonlyMap<string, number>;
}

/** Compares a codec on all cases of v1, which is what the official packages parse. */
export async function scoreOf(name: Scored): Promise<Score> {
  const [program, file] = SCORED[name];
  const command = [program, `test/generators/tools/conformance/${file}`];
  const flags = ["--profile", "v1", "--json", "--", ...command];
  const { out, err } = await runCommand(["conformance", "codec", ...flags], { env: PYTHON_ENV });
  const result = JSON.parse(out) as Result;
  if (result.error !== undefined) throw new Error(`${name}: ${out}${err}`);
  const { cases, unsupported, representation, required } = result;
  const kinds = new Map<string, number>();
  for (const definition of Object.values(result.definitions))
    for (const [kind, count] of Object.entries(definition.kinds))
      kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  return { counts: [cases, unsupported, representation, required], kinds };
}

interface Result {
  readonly error?: object;
  readonly cases: number;
  readonly unsupported: number;
  readonly representation: number;
  readonly required: number;
  readonly definitions: {
    readonly [name: string]: { readonly kinds: { readonly [kind: string]: number } };
  };
}

/** Returns the rows of the two tables, as cells. */
export function scoreTables(
  scores: ReadonlyMap<Scored, Score>,
): readonly (readonly (readonly string[])[])[] {
  const print = (count: number): string => count.toLocaleString("en");
  const totals = [...scores].map(([name, { counts }]) => [name, ...counts.map(print)]);
  const differing = [...scores].filter(([, { kinds }]) => kinds.size > 0);
  const kinds = KINDS.filter((kind) => differing.some(([, score]) => score.kinds.has(kind))).map(
    (kind) => [kind, ...differing.map(([, score]) => print(score.kinds.get(kind) ?? 0))],
  );
  return [
    [["Decoder", "Cases", "Unsupported", "Not represented", "Other verdict or value"], ...totals],
    [["Difference", ...differing.map(([name]) => name)], ...kinds],
  ];
}
