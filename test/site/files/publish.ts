import { readFileSync, writeFileSync } from "node:fs";
import { publishedLines } from "./published.js";
import { openSite } from "../support/site.js";

// Run on a release, by hand: adds the addresses and ids of this build to the list that later builds must keep.
const file = new URL("published.txt", import.meta.url);
const before = readFileSync(file, "utf8").trim().split("\n");
const { files } = await openSite();
writeFileSync(file, `${publishedLines(files, before).join("\n")}\n`);
