import { isObject, type Json } from "../schema/json-schema/json.js";

declare const brand: unique symbol;

/**
 * TypeScript source text. Text that comes from a schema becomes source text only
 * through the functions of this file; the type system keeps plain strings out.
 */
export type Code = string & { readonly [brand]: "code" };

/** Source text put together from fixed text and holes that are source text themselves. */
export function code(
  fixed: TemplateStringsArray,
  ...holes: readonly (Code | readonly Code[])[]
): Code {
  const parts = fixed.map((text, index) => {
    const hole = holes[index];
    return text + (hole === undefined ? "" : typeof hole === "string" ? hole : hole.join("\n"));
  });
  return parts.join("") as Code;
}

/** Joins source text. */
export function joinCode(
  parts: readonly Code[],
  separator: ", " | " | " | " & " | "\n" | "\n\n",
): Code {
  return parts.join(separator) as Code;
}

/**
 * Indents lines by the brackets at their ends and beginnings. Expects code that breaks lines
 * after opening and before closing brackets, after `case` labels, and before `&&` and, outside of brackets, `|`.
 */
export function indentLines(text: Code): Code {
  let depth = 0;
  const lines = text.split("\n").map((line) => {
    if (/^[}\])]/.test(line)) depth--;
    const isFurther = line.startsWith("&& ") || (depth === 0 && line.startsWith("| "));
    const indent = "  ".repeat(isFurther ? depth + 1 : depth);
    if (/[{[(]$|^case .*:$/.test(line)) depth++;
    if (line === "break;") depth--;
    return line === "" ? line : indent + line;
  });
  return lines.join("\n") as Code;
}

/** Keeps the formatter from breaking the lines of the next statement, a table with one entry per line. */
export const ONE_LINE_EACH = "// prettier-ignore" as Code;

/** Marks source text that a library printed only from our source text and placeholders. */
export function printedCode(text: string): Code {
  return text as Code;
}

/** A JSON value as an expression or literal type. */
export function literal(value: Json): Code {
  if (isList(value)) return `[${value.map(literal).join(",")}]` as Code;
  if (!isObject(value)) return escapeLines(JSON.stringify(value)) as Code;
  const parts = Object.entries(value).map(
    ([name, part]) => `${propertyKey(name)}:${literal(part)}`,
  );
  return `{${parts.join(",")}}` as Code;
}

/**
 * A name that is an identifier already.
 *
 * @throws Error when it is not: the model should have made it one
 */
export function identifier(name: string): Code {
  if (!IDENTIFIER.test(name)) throw new Error(`not an identifier: ${JSON.stringify(name)}`);
  return name as Code;
}

/** A property name in an interface or object type: bare where it can be, else quoted. */
export function propertyName(name: string): Code {
  return IDENTIFIER.test(name) ? (name as Code) : literal(name);
}

/** A property name in an object literal; `__proto__` would set the prototype there. */
export function propertyKey(name: string): Code {
  return name === "__proto__" ? (`["__proto__"]` as Code) : propertyName(name);
}

/** The access to a property of an expression before it: `.name` or `["name"]`. */
export function propertyAccess(name: string): Code {
  return (IDENTIFIER.test(name) ? `.${name}` : `[${literal(name)}]`) as Code;
}

/** A relative module specifier, e.g. `./types.js`. */
export function specifier(path: string): Code {
  if (!/^\.{1,2}\/[\w./-]+$/.test(path))
    throw new Error(`not a relative path: ${JSON.stringify(path)}`);
  return literal(path);
}

/** Returns a documentation comment; its text cannot end it or start a tag. */
export function docComment(text: string): Code {
  const lines = commentText(text)
    .split("\n")
    .flatMap((line) => wrap(line, 96))
    .map((line) => line.replaceAll(BLANK, " "));
  if (lines.length === 1) return `/** ${lines[0]!} */` as Code;
  return `/**\n${lines.map((line) => (line === "" ? " *" : ` * ${line}`)).join("\n")}\n */` as Code;
}

/** A tag of a documentation comment, e.g. `@default false`, for use inside `docComment`. */
export function docTag(name: "default" | "deprecated" | "experimental" | "see", text = ""): string {
  return `${TAG}${name} ${text.replaceAll("\n", " ")}`.trimEnd();
}

/** A link to an export, or to a part of one, for use inside `docComment`. */
export function docLink(...path: readonly string[]): string {
  return `{${TAG}link${BLANK}${path.map(identifier).join(".")}}`;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Stands for an `@` that we wrote; any other is text. U+E000 is for private use. */
const TAG = "\uE000";

/** Stands for a blank at which no line is broken. U+E001 is for private use. */
const BLANK = "\uE001";

function commentText(text: string): string {
  return (
    text
      .replace(/\r\n?|[\u2028\u2029]/g, "\n")
      .replaceAll("*/", "*\\/")
      // TypeScript takes an `@` behind any white space for a tag, also within a line.
      .replace(/(^|[\s\uE000\uE001])@/g, "$1\\@")
      .replaceAll("{@", "{\\@")
      .replace(/\uE000(?=(?:default|experimental|see) |deprecated(?:\n|$)|link\uE001)/g, "@")
      .replaceAll(TAG, "")
      .trim()
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** JSON leaves U+2028 and U+2029 as they are; older parsers take them for line ends. */
function escapeLines(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Breaks a line of prose; a tag stays on one line, however long. */
function wrap(line: string, width: number): string[] {
  if (line.startsWith("@")) return [line];
  const indent = /^(?:- )/.test(line) ? "  " : "";
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = indent + word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
