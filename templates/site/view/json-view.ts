import { element, withEscapes } from "./element.js";

/** The deepest level that is printed on lines of its own. */
const DEEPEST = 100;

/**
 * Prints a value as JSON, with the lines of findings marked.
 *
 * @param paths JSON pointers; of a missing member, the nearest owner is marked
 */
export function jsonView(value: unknown, paths: readonly string[]): HTMLElement {
  const block = element("pre", { tabindex: "0" });
  const places = new Set(paths.map((path) => nearest(value, path)));
  const print = (inner: unknown, path: string, before: string, depth: number): void => {
    const row = element(path !== "" && places.has(path) ? "mark" : "span");
    const indent = "  ".repeat(depth);
    block.append(row);
    if (typeof inner !== "object" || inner === null || depth > DEEPEST) {
      row.textContent = withEscapes(indent + before + (JSON.stringify(inner) ?? ""));
      return;
    }
    const isList = Array.isArray(inner);
    const entries = Object.entries(inner);
    const [opening, closing] = isList ? ["[", "]"] : ["{", "}"];
    row.textContent =
      withEscapes(indent + before) + opening + (entries.length === 0 ? closing : "");
    for (const [index, [key, member]] of entries.entries()) {
      block.append(index === 0 ? "\n" : ",\n");
      print(
        member,
        `${path}/${escapeToken(key)}`,
        isList ? "" : `${JSON.stringify(key)}: `,
        depth + 1,
      );
    }
    if (entries.length > 0) block.append(`\n${indent}${closing}`);
  };
  print(value, "", "", 0);
  return block;
}

function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns a path, or of a missing member the path of its owner. */
function nearest(value: unknown, path: string): string {
  let inner = value;
  let found = "";
  for (const token of path.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) break;
    inner = (inner as { readonly [name: string]: unknown })[key];
    found += `/${token}`;
  }
  return found;
}
