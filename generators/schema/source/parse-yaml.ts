import { createRequire } from "node:module";
import type { Document } from "yaml";
import { InputError, type Problem } from "../problem.js";
import { positionAt } from "./json-text.js";
import { decodeText, parseJson } from "./parse-json.js";

/** Returns whether a file is read as YAML, by its name. */
export function isYaml(file: string): boolean {
  return /\.ya?ml$/i.test(file);
}

/** Reads the structure of a YAML text; what is wrong with it is in its errors and warnings. */
export function readYaml(text: string): Document {
  // Few schemas need it.
  const { parseDocument } = createRequire(import.meta.url)("yaml") as typeof import("yaml");
  // A warning that is not an error here would be printed by the library.
  const options = {
    stringKeys: true,
    merge: true,
    prettyErrors: false,
    logLevel: "error",
  } as const;
  return parseDocument(text, options);
}

/**
 * Parses an untrusted YAML document as the JSON document that it stands for.
 *
 * @param file the name of the document in problems
 * @throws InputError if it is not UTF-8 YAML, has what JSON cannot have, or exceeds the limits of `parseJson`
 */
export function parseYaml(bytes: Uint8Array, file: string): unknown {
  const refuse = (message: string, hint = "Correct it.", offset?: number): InputError => {
    const position = offset === undefined ? {} : { position: positionAt(text, offset) };
    return new InputError([{ file, ...position, message, hint } satisfies Problem]);
  };
  const text = decodeText(bytes, file);
  let json: string | undefined;
  try {
    const document = readYaml(text);
    const [wrong] = [...document.errors, ...document.warnings];
    if (wrong?.code === "RESOURCE_EXHAUSTION") throw new RangeError(wrong.message);
    if (wrong?.code === "MULTIPLE_DOCS")
      throw refuse("has more than one document", "Write each to its own file.", wrong.pos[0]);
    if (wrong !== undefined)
      throw refuse(`is not YAML: ${wrong.message}`, "Correct the syntax.", wrong.pos[0]);
    json = JSON.stringify(document.toJS(), (_, value: unknown) => {
      if (typeof value !== "number" || Number.isFinite(value)) return value;
      throw refuse(`has the number ${value}, which JSON does not have`, "Write a finite one.");
    });
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof RangeError)
      throw refuse("is nested too deeply", "Give the inner parts definitions of their own.");
    // The one mistake that only the conversion finds, besides too many aliases.
    const isEndless = error instanceof TypeError;
    const message = isEndless ? "an alias is part of its own anchor" : (error as Error).message;
    throw refuse(`is not YAML: ${message}`);
  }
  return parseJson(new TextEncoder().encode(json), file);
}
