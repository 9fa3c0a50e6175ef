import { basename } from "node:path";
import { sha256 } from "../../output/manifest.js";
import { importSchema } from "../../schema/compose/import.js";
import { canonicalJson, isObject, type JsonSchema } from "../../schema/json-schema/json.js";
import { inKeyOrder } from "../../schema/json-schema/key-order.js";
import { loadDialect, readJson } from "../../schema/source/load.js";
import { InputError } from "../../schema/problem.js";
import { displayPath, usageError } from "../messages.js";
import type { Selection } from "../options.js";
import type { Input } from "./input.js";
import { requireFile } from "./input-files.js";

/**
 * Imports a schema in upstream's format.
 *
 * @param directory the folder of the canonical schema, for its dialect
 * @throws InputError for a document that is not a schema, or an unknown protocol version
 */
export function importInput(options: Selection, path: string, directory: string): Input {
  const file = displayPath(requireFile(path));
  const schema = readJson(path, file);
  if (!isObject(schema))
    throw new InputError([
      { file, message: "is not a schema", hint: "Give a JSON Schema document." },
    ]);
  const problems = loadDialect(directory)("published", schema, file);
  if (problems.length > 0) throw new InputError(problems);
  const number = versionNumber(options);
  const name = options.name ?? `v${number}`;
  const bundle = importSchema(inKeyOrder(schema) as JsonSchema, {
    file,
    name: basename(path),
    protocol: { name: `v${number}`, number },
    release: "imported",
    // Line ends and the order of keys do not count.
    digest: sha256(canonicalJson(schema)),
    allowedKeywords: options.allowUnknownKeywords ?? [],
  });
  return {
    bundle,
    profile: {
      name,
      title: `${bundle.protocol.title} (imported)`,
      description: bundle.protocol.description,
    },
  };
}

function versionNumber(options: Selection): number {
  if (options.meta !== undefined) {
    const file = displayPath(requireFile(options.meta));
    const meta = readJson(options.meta, file);
    const version = isObject(meta) ? meta["version"] : undefined;
    if (typeof version === "number" && Number.isInteger(version)) {
      if (options.protocol === undefined || options.protocol === `v${version}`) return version;
      throw usageError(
        `--protocol ${options.protocol} and ${file} (version ${version}) disagree`,
        "Remove one of them.",
      );
    }
    throw new InputError([
      {
        file,
        pointer: "/version",
        message: "the protocol version is missing",
        hint: "Give an integer.",
      },
    ]);
  }
  const match = /^v([1-9][0-9]*)$/.exec(options.protocol ?? "");
  if (match !== null) return Number(match[1]);
  throw usageError("--protocol or --meta is required with --schema", "Add --protocol, e.g. v1.");
}
