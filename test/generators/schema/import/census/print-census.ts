import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { compareValues } from "./compare-values.js";
import { takeCensus } from "./take-census.js";

/*
 * Prints what becomes of the schemas of a folder: accepted as published, accepted after the switches
 * that the messages name, or refused, with the causes counted.
 *
 *   npx tsx test/generators/schema/import/census/print-census.ts <folder> [--values]
 *
 * With --values, samples and mutations of them are tried in three languages and compared with ajv.
 */

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder of JSON Schemas.");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".json"),
);
const taken = files.sort().map((name) => takeCensus(resolve(join(folder, name))));

const numberOf = (outcome: string): string => {
  const number = taken.filter((one) => one.outcome === outcome).length;
  return `${number} (${Math.round((number / taken.length) * 100)} %)`;
};
console.log(`${taken.length} schemas
accepted as published:             ${numberOf("accepted")}
accepted after the named switches: ${numberOf("switched")}
refused:                           ${numberOf("refused")}`);

const causes = new Map<string, { files: Set<string>; alone: number }>();
files.forEach((file, index) => {
  const own = new Set(taken[index]!.messages.map((one) => one.replaceAll(/"[^"]*"/g, "…")));
  for (const cause of own) {
    const entry = causes.get(cause) ?? { files: new Set(), alone: 0 };
    entry.files.add(file);
    if (own.size === 1) entry.alone++;
    causes.set(cause, entry);
  }
});
console.log("\nrefused because (schemas, alone)");
for (const [cause, { files: own, alone }] of [...causes].sort(
  ([, a], [, b]) => b.files.size - a.files.size,
))
  console.log(
    `${String(own.size).padStart(4)} ${String(alone).padStart(4)}  ${cause}  [${[...own].slice(0, 4).join(" ")}]`,
  );

if (flag === "--values") {
  const accepted = files.flatMap((file, index) =>
    taken[index]!.outcome === "refused"
      ? []
      : [[resolve(join(folder, file)), taken[index]!.switches] as const],
  );
  const { unjudged, languages } = await compareValues(accepted);
  console.log(`\n${unjudged.length} schemas without verdicts of ajv`);
  for (const line of unjudged) console.log(`  ${line}`);
  for (const { language, values, valid, wrong, widened } of languages) {
    console.log(
      `${language}: ${values} values, ${valid} valid, ${wrong.length} wrong verdicts, ${widened} valid since something is ignored`,
    );
    for (const line of wrong.slice(0, 40)) console.log(`  ${line}`);
  }
}
