import { format } from "prettier";
import { scoreOf, SCORED, scoreTables, type Score, type Scored } from "./scores.js";

// Prints the tables of templates/site/guides/tool/conformance.md, which needs `npm run build:bindings`,
// `npm run generate` and the Python packages that `npm run test:system` installs:
// `npx tsx test/generators/tools/conformance/print-scores.ts`.
const scores = new Map<Scored, Score>();
for (const name of Object.keys(SCORED) as Scored[]) scores.set(name, await scoreOf(name));
for (const [head, ...rows] of scoreTables(scores)) {
  const lines = [head!, head!.map(() => "---"), ...rows];
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  console.log(await format(table, { parser: "markdown" }));
}
