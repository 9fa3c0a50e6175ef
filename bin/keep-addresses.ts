// On a release, by hand: adds the addresses and ids of this build of the site to the list that later
// builds must keep.
import { readFileSync, writeFileSync } from "node:fs";
import { addressesOf, formatAddresses, parseAddresses } from "../test/site/files/published.js";
import { openSite } from "../test/site/support/site.js";

const file = new URL("../test/site/files/published.txt", import.meta.url);
const before = parseAddresses(readFileSync(file, "utf8"));
const { files } = await openSite();
writeFileSync(file, formatAddresses(addressesOf(files, before)));
