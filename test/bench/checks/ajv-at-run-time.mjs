// What an application does that compiles upstream's schema when it starts, for one definition.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

const path = new URL("../../reference/1.20.0/v1.json", import.meta.url);
export const validate = new Ajv2020({ strict: false, validateFormats: false })
  .addSchema(JSON.parse(readFileSync(path, "utf8")), "upstream")
  .getSchema("upstream#/$defs/SessionNotification");
