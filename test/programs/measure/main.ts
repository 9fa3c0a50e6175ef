import { AUTHENTICATION, MISTAKES, type Mistake } from "../wrong/mistakes.js";
import { findMistakes } from "../wrong/find-mistakes.js";
import { fileOf, LIBRARIES, NAMES, type Library } from "../pairs.js";
import { count } from "./count.js";

print([
  ["program", "library", "lines", "sessionId", "casts", "imports"],
  ...Object.keys(NAMES).flatMap((name) => LIBRARIES.map((library) => row(name, library))),
]);
console.log(
  "\nLines: not blank, with imports and comments. Casts: `as` (other than `as const`) and `!`.",
);
console.log("Imports: modules of the library.\n");
print([
  ["", ...LIBRARIES],
  ["wrong programs found, of 16", ...(await Promise.all(LIBRARIES.map(wrongPrograms)))],
  ["authMethods without authenticate", ...(await Promise.all(LIBRARIES.map(authentication)))],
]);

function row(name: string, library: Library): string[] {
  const file = fileOf(name, library);
  if (file === undefined) return [name, library, NAMES[name] ?? "missing"];
  const { lines, sessionIds, casts, imports } = count(file);
  return [name, library, ...[lines, sessionIds, casts, imports].map(String)];
}

async function wrongPrograms(library: keyof Mistake): Promise<string> {
  const found = [...(await findMistakes(library, MISTAKES)).values()];
  const times = (["compiled", "created"] as const).map(
    (time) => found.filter((each) => each === time).length,
  );
  return `${times[0]! + times[1]!} (${times[1]} when created)`;
}

async function authentication(library: keyof Mistake): Promise<string> {
  return (await findMistakes(library, { AUTHENTICATION })).get("AUTHENTICATION")!;
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) =>
    Math.max(
      ...rows.filter((row) => row.length > column + 1).map((row) => row[column]!.length),
      rows[0]![column]!.length,
    ),
  );
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    );
}
