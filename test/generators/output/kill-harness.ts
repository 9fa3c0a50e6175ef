import { acquireLock } from "../../../generators/run/generate/lock.js";
import { readOutput, recoverOutput, writeOutput } from "../../../generators/output/disk/write.js";
import { manifestOf, MANIFEST, treeOf } from "./kill-trees.js";

/** Swaps two trees in an output folder as fast as it can, until it is killed. */
const [out = ""] = process.argv.slice(2);
for (let round = 0; ; round++) {
  const unlock = await acquireLock(out, { timeoutMs: 60_000 });
  recoverOutput(out);
  const tree = treeOf(round % 2 === 0 ? "new" : "old");
  const other = treeOf(round % 2 === 0 ? "old" : "new");
  const write = tree
    .filter(({ path, text }) => readOutput(out, path) !== text)
    .map((file) => ({ file, exists: true }));
  const remove = other
    .map(({ path }) => path)
    .filter((path) => tree.every((file) => file.path !== path));
  writeOutput(out, { write, remove }, { path: MANIFEST, text: manifestOf(tree) });
  unlock();
  if (round === 0) process.stdout.write("started\n");
}
