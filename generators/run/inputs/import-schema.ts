import { basename, relative } from "node:path";
import { sha256 } from "../../output/manifest.js";
import { importSchema } from "../../schema/compose/import.js";
import { canonicalJson, isObject, type JsonSchema } from "../../schema/json-schema/json.js";
import { inKeyOrder } from "../../schema/json-schema/key-order.js";
import { loadDialect, readJson } from "../../schema/source/load.js";
import { InputError } from "../../schema/problem.js";
import type { Input, InputOptions } from "./select-profiles.js";
import { usageError } from "../usage-error.js";

/** A schema in upstream's format; `meta.json` or the options say which protocol version it is of. */
export function importInput(options: InputOptions, path: string, directory: string): Input {
  const file = relative(process.cwd(), path) || path;
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
    // Of what it says: line ends and the order of keys say nothing.
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

function versionNumber(options: InputOptions): number {
  if (options.metaFile !== undefined) {
    const file = relative(process.cwd(), options.metaFile) || options.metaFile;
    const meta = readJson(options.metaFile, file);
    const version = isObject(meta) ? meta["version"] : undefined;
    if (typeof version === "number" && Number.isInteger(version)) {
      if (options.protocol === undefined || options.protocol === `v${version}`) return version;
      throw usageError(
        `--protocol ${options.protocol} and ${file} (version ${version}) disagree`,
        "Leave one of them out.",
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
  throw usageError(
    "it is not said which protocol version the schema is of",
    "Give --protocol, e.g. v1, or --meta.",
  );
}
