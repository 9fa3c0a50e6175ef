import {
  escapeInvisible,
  plainLines,
  sourceTools,
  wrapLine,
  type SourceText,
  type SourceTools,
} from "../../output/source-text.js";
import { isObject, type Json } from "../../schema/json-schema/json.js";

/**
 * Python source text. Text that comes from a schema becomes source text only through the functions of
 * this file; the type system keeps plain strings out.
 */
export type Python = SourceText<"python">;

export const {
  code: py,
  join: joinPython,
  indent,
  identifier,
}: SourceTools<"python"> = sourceTools("    ");

/** A JSON value as an expression. */
export function literal(value: Json): Python {
  if (value === null) return py`None`;
  if (typeof value === "boolean") return value ? py`True` : py`False`;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]` as Python;
  if (!isObject(value)) return escapeInvisible(JSON.stringify(value)) as Python;
  const members = Object.entries(value).map(([name, part]) => `${literal(name)}: ${literal(part)}`);
  return `{${members.join(", ")}}` as Python;
}

/** The longest line of text in a docstring, without its indentation. */
const DOC_WIDTH = 80;

/** Returns a docstring; its text cannot end it. Empty for empty text. */
export function docstring(text: string): Python | undefined {
  const lines = plainLines(text)
    .map((line) => line.replaceAll("\\", "\\\\"))
    .flatMap((line) => wrapLine(line, DOC_WIDTH));
  const joined = lines.join("\n");
  const isEnded = joined.includes('"""') || joined.endsWith('"');
  const whole = isEnded ? joined.replaceAll('"', '\\"') : joined;
  if (whole === "") return undefined;
  return (whole.includes("\n") ? `"""${whole}\n"""` : `"""${whole}"""`) as Python;
}
