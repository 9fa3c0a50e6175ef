import { isObject, type Json } from "../../schema/json-schema/json.js";

declare const brand: unique symbol;

/**
 * Python source text. Text that comes from a schema becomes source text only through the functions of
 * this file; the type system keeps plain strings out.
 */
export type Python = string & { readonly [brand]: "python" };

/** Source text put together from fixed text and holes that are source text themselves. */
export function py(fixed: TemplateStringsArray, ...holes: readonly Python[]): Python {
  return fixed.map((text, index) => text + (holes[index] ?? "")).join("") as Python;
}

export function joinPython(
  parts: readonly Python[],
  separator: "" | ", " | " and " | " or " | " | " | "\n" | "\n\n" | "\n\n\n",
): Python {
  return parts.join(separator) as Python;
}

/** Indents all lines that are not empty by one level. */
export function indent(text: Python): Python {
  const lines = text.split("\n").map((line) => (line === "" ? line : `    ${line}`));
  return lines.join("\n") as Python;
}

/** A JSON value as an expression. */
export function literal(value: Json): Python {
  if (value === null) return py`None`;
  if (typeof value === "boolean") return value ? py`True` : py`False`;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]` as Python;
  if (!isObject(value)) return escapeLines(JSON.stringify(value)) as Python;
  const members = Object.entries(value).map(([name, part]) => `${literal(name)}: ${literal(part)}`);
  return `{${members.join(", ")}}` as Python;
}

/** Escapes characters that some tools take for line ends, and those that readers cannot see. */
function escapeLines(text: string): string {
  return text.replace(
    /[\u007f-\u00a0\u2028\u2029\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A name that is an identifier already.
 *
 * @throws Error when it is not
 */
export function identifier(name: string): Python {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Error(`not an identifier: ${JSON.stringify(name)}`);
  return name as Python;
}

/** The longest line of text in a docstring, without its indentation. */
const DOC_WIDTH = 80;

/** Returns a docstring; its text cannot end it. Empty for empty text. */
export function docstring(text: string): Python | undefined {
  const lines = text
    .replace(/\r\n?|[\f\v\u0085\u2028\u2029]/g, "\n")
    // Other control characters have no place in source text.
    .replace(/[\0-\t\x0e-\x1f\x7f]/g, " ")
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
    .replace(/[\\]/g, "\\\\")
    .trim()
    .split("\n")
    .flatMap((line) => wrap(line.trim()));
  const joined = lines.join("\n");
  const isEnded = joined.includes('"""') || joined.endsWith('"');
  const whole = isEnded ? joined.replaceAll('"', '\\"') : joined;
  if (whole === "") return undefined;
  return (whole.includes("\n") ? `"""${whole}\n"""` : `"""${whole}"""`) as Python;
}

function wrap(line: string): string[] {
  const rest = line.startsWith("- ") ? "  " : "";
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/ +/)) {
    if (current !== "" && current.length + 1 + word.length > DOC_WIDTH) {
      lines.push(current);
      current = rest + word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
