import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { runPython } from "./run-python.js";

const PROGRAM = "test/python/programs/types/mistakes.py";

/** The arguments of each type checker, and how it prints the number of a line with an error. */
const CHECKERS = {
  mypy: { args: ["--strict", "--no-incremental", PROGRAM], error: /\.py:(\d+): error/g },
  pyright: {
    args: ["--project", "test/python/programs/types/pyrightconfig.json"],
    error: /\.py:(\d+):\d+ - error/g,
  },
} as const;

for (const [name, { args, error }] of Object.entries(CHECKERS)) {
  const isInstalled = runPython(["-c", `import ${name}`]).code === 0;
  if (!isInstalled) console.log(`${name} is not here: skipped its check of mistakes in programs`);
  test.runIf(isInstalled)(`${name} finds mistakes in programs, and no others`, () => {
    const lines = readFileSync(`${ROOT}${PROGRAM}`, "utf8").split("\n");
    const wanted = lines.flatMap((line, index) => (line.endsWith("# error") ? [index + 1] : []));
    const { out } = runPython(["-m", name, ...args], "", { MYPYPATH: `${ROOT}out/python` });
    const found = new Set([...out.matchAll(error)].map(([, line]) => Number(line)));
    expect([...found], out).toEqual(wanted);
  });
}
