import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { docsData, printDocsData } from "../../../templates/conformance/docs-data.js";
import { ROOT } from "../../paths.js";

// Run by `npm run generate`: the one way to update what the documentation reads.
writeFileSync(join(ROOT, "templates/conformance/rules.json"), printDocsData(docsData()));
