import { readFileSync } from "node:fs";
import { ROOT } from "../support/paths.js";

const README = readFileSync(`${ROOT}templates/python/README.md`, "utf8");

/** Returns the first program below a title of Python's README. */
export function readmeProgram(title: string): string {
  const section = README.split(`\n## ${title}\n`)[1]!;
  return /```python\n([^]*?)```/.exec(section)![1]!;
}
