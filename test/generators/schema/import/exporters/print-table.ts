import { importAll, importFolder } from "./documents.js";
import { exporterTable } from "./table.js";

/*
 * Prints the table of the manual (`templates/site/guides/tool/imports.md`), or one of the schemas in
 * a folder:
 *
 *   npx tsx test/generators/schema/import/exporters/print-table.ts [folder]
 */
const [folder] = process.argv.slice(2);
console.log(exporterTable(folder === undefined ? importAll() : importFolder(folder)));
