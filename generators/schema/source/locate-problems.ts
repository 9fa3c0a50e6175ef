import type { Node } from "yaml";
import { readBytes } from "./read-bytes.js";
import { DOCUMENT_LIMITS } from "./parse-json.js";
import { positionAt, scanJson } from "./json-text.js";
import { isYaml, readYaml } from "./parse-yaml.js";
import { parsePointer, jsonPointer, type Problem } from "../problem.js";

/**
 * Adds the line and column to problems that have a JSON pointer into a file that can be read from
 * the current folder. The position is that of the nearest value that the file has. Pointers into
 * `$defs` lead into `definitions` where a file has those instead, as in draft-07.
 *
 * @param pathOf returns the path of a file by its name in problems; undefined for an unknown one
 */
export function locateProblems<T extends Problem>(
  problems: readonly T[],
  pathOf: (file: string) => string | undefined = pathOfInput,
): readonly T[] {
  const scans = new Map<string, Find>();
  return problems.map((problem) => {
    const { file, pointer, position } = problem;
    if (file === undefined || !pointer || position !== undefined) return problem;
    const find = scans.get(file) ?? openFile(pathOf(file));
    scans.set(file, find);
    const found = find(pointer);
    return found === undefined ? problem : { ...problem, ...found };
  });
}

/** Files of the canonical schema have names relative to its parent folder, which may be any. */
function pathOfInput(file: string): string | undefined {
  return file.startsWith("schema/") ? undefined : file;
}

/** Finds a place in one file. */
type Find = (pointer: string) => Required<Pick<Problem, "pointer" | "position">> | undefined;

function openFile(file: string | undefined): Find {
  if (file === undefined) return () => undefined;
  try {
    const bytes = readBytes(file, file);
    if (bytes.length > DOCUMENT_LIMITS.bytes) return () => undefined;
    const text = new TextDecoder().decode(bytes);
    const offsetOf = isYaml(file) ? offsetsInYaml(text) : offsetsInJson(text);
    const isOld = offsetOf("/$defs") === undefined && offsetOf("/definitions") !== undefined;
    return (given) => {
      const pointer = isOld ? given.replace(/^\/\$defs(?=\/|$)/, "/definitions") : given;
      for (let path = parsePointer(pointer); path.length > 0; path = path.slice(0, -1)) {
        const offset = offsetOf(jsonPointer(path));
        if (offset !== undefined) return { pointer, position: positionAt(text, offset) };
      }
      return undefined;
    };
  } catch {
    return () => undefined;
  }
}

type OffsetOf = (pointer: string) => number | undefined;

function offsetsInJson(text: string): OffsetOf {
  JSON.parse(text);
  const { offsets } = scanJson(text);
  return (pointer) => offsets.get(pointer);
}

function offsetsInYaml(text: string): OffsetOf {
  const document = readYaml(text);
  return (pointer) => {
    const node = document.getIn(parsePointer(pointer), true) as Partial<Node> | undefined;
    return node?.range?.[0];
  };
}
