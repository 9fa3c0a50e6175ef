import { readFileSync } from "node:fs";

/** Reads newline-delimited JSON: the value of each line that is not empty. */
export function readLines<T>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
