import { importAll } from "./documents.js";
import { exporterTable } from "./table.js";

/* Prints the table of the manual (`templates/docs/guides/tool/imports.md`). */
console.log(exporterTable(importAll()));
