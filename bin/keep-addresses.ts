// On a release, by hand: adds the addresses and ids of this build of the site to the list that later
// builds must keep.
import { readFileSync, writeFileSync } from "node:fs";
import { publishedLines } from "../test/site/files/published.js";
import { openSite } from "../test/site/support/site.js";

const file = new URL("../test/site/files/published.txt", import.meta.url);
const before = readFileSync(file, "utf8").trim().split("\n");
const { files } = await openSite();
writeFileSync(file, `${publishedLines(files, before).join("\n")}\n`);
