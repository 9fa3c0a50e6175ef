import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compileMini, EXPECTED, selectExpected } from "./compile-mini.js";

// Run by `npm run generate` after the tool, which has neither the mini protocol nor its excerpts.
const expected = selectExpected(await compileMini());
rmSync(EXPECTED, { recursive: true, force: true });
for (const [path, text] of expected) {
  const file = join(EXPECTED, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
