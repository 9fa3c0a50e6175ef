import { mapShape } from "../../model/map-shape.js";
import type { Protocol } from "../../model/protocol.js";
import type { Shape } from "../../model/shape.js";
import { InputError, type Problem } from "../../schema/problem.js";

/** The characters that the escapes of sets stand for, where they are others than in Go. */
const SETS: { readonly [name: string]: string } = {
  s: "\\t-\\r \\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}",
  S: "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}",
};

const TOKEN =
  /\\u\{([0-9a-f]+)\}|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\c([a-z])|\\([pP]\{[^}]*\})|\\(.)|\(\?<[^=!>][^>]*>|\(\?<?[=!]|./gisu;

/**
 * Returns an ECMAScript pattern with the flag \`u\` as one of Go.
 *
 * @throws InputError for one that needs backtracking, which Go's expressions do not have
 */
export function goPattern(pattern: string): string {
  let isInside = false;
  let start = 0;
  const parts: string[] = [];
  for (const token of pattern.matchAll(TOKEN)) {
    const [text, long, high, low, code, control, property, escaped] = token;
    const character = codePoint(long, high, low, code, control);
    if (/^\(\?<?[=!]/.test(text) || (!isInside && /^[1-9k]$/.test(escaped ?? "")))
      throw withoutForm(pattern, text);
    if (character !== undefined) parts.push(`\\x{${character.toString(16)}}`);
    else if (property !== undefined) parts.push(`\\${property.replace(/\{(?:\w+=)/, "{")}`);
    else if (escaped !== undefined) parts.push(escapeOf(escaped, isInside));
    else if (text.startsWith("(?<")) parts.push("(");
    else if (text === "." && !isInside) parts.push("[^\\n\\r\\x{2028}\\x{2029}]");
    else if (text === "$" && !isInside) parts.push("\\z");
    else if (text === "[" && !isInside) {
      isInside = true;
      start = parts.push(text);
    } else if (text === "]" && isInside) {
      isInside = false;
      const inside = parts.slice(start).join("");
      parts.push(text);
      // Go has no empty sets.
      if (inside === "") parts.splice(start - 1, Infinity, "[^\\x00-\\x{10ffff}]");
      if (inside === "^") parts.splice(start - 1, Infinity, "[\\x00-\\x{10ffff}]");
    } else parts.push(isInside && text === "[" ? "\\[" : text);
  }
  return parts.join("");
}

function codePoint(
  long?: string,
  high?: string,
  low?: string,
  code?: string,
  control?: string,
): number | undefined {
  if (high !== undefined)
    return 0x10000 + ((parseInt(high, 16) - 0xd800) << 10) + parseInt(low!, 16) - 0xdc00;
  if (control !== undefined) return control.charCodeAt(0) % 32;
  const hex = long ?? code;
  return hex === undefined ? undefined : parseInt(hex, 16);
}

function escapeOf(name: string, isInside: boolean): string {
  const set = SETS[name];
  if (set !== undefined) return isInside ? set : `[${set}]`;
  if (name === "b" && isInside) return "\\x08";
  if (name === "0") return "\\x00";
  return name === "/" ? "/" : `\\${name}`;
}

function withoutForm(pattern: string, part: string): InputError {
  const message = `the pattern ${JSON.stringify(pattern)} has no form in Go, because of "${part}"`;
  const hint = "Write it without lookaround and references, which need backtracking.";
  return new InputError([{ message, hint }], "usage");
}

/**
 * Returns a protocol with the patterns of Go.
 *
 * @throws InputError with each definition that has a pattern without a form in Go
 */
export function withGoPatterns(protocol: Protocol): Protocol {
  const replace = (given: Shape): Shape => {
    const shape = mapShape(given, replace);
    if (shape.kind === "scalar" && shape.pattern !== undefined)
      return { ...shape, pattern: goPattern(shape.pattern) };
    if (shape.kind !== "object" || shape.patterns === undefined) return shape;
    const patterns = shape.patterns.map((one) => ({ ...one, pattern: goPattern(one.pattern) }));
    return { ...shape, patterns };
  };
  const problems: Problem[] = [];
  const definitions = protocol.definitions.map((definition) => {
    try {
      return { ...definition, shape: replace(definition.shape) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const named = error.problems.map((one) => ({
        ...one,
        message: `${definition.name}: ${one.message}`,
      }));
      problems.push(...named);
      return definition;
    }
  });
  if (problems.length > 0) throw new InputError(problems, "usage");
  return { ...protocol, definitions };
}
