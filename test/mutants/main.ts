import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { build, isClean, kills, type Change, type Checks } from "./try-mutant.js";

type Mutant = Change & Checks;

process.exitCode = await main(process.argv.slice(2));

/**
 * Applies one mutant after the other to the working tree, runs its tests, and restores the tree.
 *
 * @param names parts of the names of files; all mutants without any
 * @returns 1 when a mutant has survived, 2 when there are uncommitted changes
 */
async function main(names: readonly string[]): Promise<number> {
  if (!(await isClean())) return 2;
  const file = join(ROOT, "test/mutants/mutants.json");
  const mutants = (JSON.parse(readFileSync(file, "utf8")) as readonly Mutant[]).filter(
    ({ file }) => names.length === 0 || names.some((name) => file.includes(name)),
  );
  await build({});
  let survived = 0;
  for (const [index, mutant] of mutants.entries()) {
    const isKilled = await kills(mutant, mutant);
    if (!isKilled) survived++;
    const place = `${index + 1}/${mutants.length} ${mutant.file}: ${firstLine(mutant.from)}`;
    process.stdout.write(`${isKilled ? "killed  " : "SURVIVED"} ${place}\n`);
  }
  process.stdout.write(`${mutants.length - survived} of ${mutants.length} mutants were killed\n`);
  return survived > 0 ? 1 : 0;
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]!;
}
