import { readFileSync, writeFileSync } from "node:fs";
import { attributes } from "./markup.js";
import { openSite } from "./site.js";

// Run on a release, by hand: adds the addresses and ids of this build to the list that later builds must keep.
const file = new URL("published.txt", import.meta.url);
const lines = new Map<string, Set<string>>();
const add = (path: string, ids: readonly string[]): void => {
  lines.set(path, new Set([...(lines.get(path) ?? []), ...ids]));
};
for (const line of readFileSync(file, "utf8").trim().split("\n")) {
  const [path, ...ids] = line.split(" ") as [string, ...string[]];
  if (path !== "") add(path, ids);
}
for (const [path, text] of (await openSite()).pages)
  // What is different to another profile is different with every release.
  add(path, path.endsWith("/changes.html") ? [] : attributes(text, "id"));
const printed = [...lines].sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(file, `${printed.map(([path, ids]) => [path, ...ids].join(" ")).join("\n")}\n`);
