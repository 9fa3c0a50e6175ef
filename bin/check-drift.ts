// `npm run check:drift`: compares `out/` with what the sources generate. Files that `.gitignore` lists are generated
// first where they are missing; the manifest is stale if their digests differ.
import { restoreOnDemand } from "./on-demand.js";

await restoreOnDemand();
process.argv.splice(2, Infinity, "generate", "--check");
await import("../generators/cli/main.js");
if (process.exitCode === 1) {
  process.argv.splice(2);
  await import("./diff-on-demand.js");
}
