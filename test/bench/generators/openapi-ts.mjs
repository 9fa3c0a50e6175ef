// Runs @hey-api/openapi-ts as the official SDK does (its scripts/generate.js): types, zod
// schemas, prettier. Plain JavaScript, so that the peer does not pay for a TypeScript loader.
// Arguments: the URL of its module, upstream's schema, the output folder.
import { readFileSync } from "node:fs";

const [module, schema, out] = process.argv.slice(2);
const { createClient } = await import(module);
const text = readFileSync(schema, "utf8").replaceAll("#/$defs/", "#/components/schemas/");
await createClient({
  input: {
    openapi: "3.1.0",
    info: { title: "Agent Client Protocol", version: "1.0.0" },
    components: { schemas: JSON.parse(text).$defs },
  },
  output: { path: out, postProcess: ["prettier"] },
  plugins: ["@hey-api/typescript", "zod"],
  logs: { level: "error", file: false },
});
