import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadSources } from "../../generators/schema/source/load-sources.js";
import { printMethodTable } from "./print-method-table.js";

/** Writes the methods of the schema as the conformance rules read them; `npm run generate` runs it. */
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const sources = loadSources(path("../../schema"));
writeFileSync(path("../runtime/conformance/methods-by-handler.ts"), printMethodTable(sources));
