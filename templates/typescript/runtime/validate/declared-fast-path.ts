import { accepted, MAX_DEPTH, type FastPath, type Forms } from "./outgoing-fast-path.js";

/*
 * The fast path that looks for undeclared properties in values that were parsed from JSON and
 * decoded: its objects are plain, and its lists have no holes.
 */

function list(items: FastPath): FastPath {
  return (value, depth) => {
    if (depth > MAX_DEPTH) return false;
    for (let index = 0; index < value.length; index++)
      if (!items(value[index], depth + 1)) return false;
    return true;
  };
}

function map(values: FastPath): FastPath {
  return (value, depth) => {
    if (depth > MAX_DEPTH) return false;
    for (const key in value) if (!values(value[key], depth + 1)) return false;
    return true;
  };
}

interface Field {
  readonly name: string;
  /** Absent when every value is accepted. */
  readonly path: FastPath | undefined;
}

function object(paths: ReadonlyMap<string, FastPath>, isOpen = false): FastPath {
  const byName = new Map<string, Field>();
  for (const [name, path] of paths)
    byName.set(name, { name, path: path === accepted ? undefined : path });
  /** The order of properties in the last object, since most objects have the same. */
  const order = [...byName.values()];
  return (value, depth) => {
    if (depth > MAX_DEPTH) return false;
    let index = 0;
    for (const key in value) {
      let field = index < order.length ? order[index] : undefined;
      if (field === undefined || field.name !== key) {
        field = byName.get(key);
        if (field === undefined) {
          if (isOpen) continue;
          return false;
        }
        order[index] = field;
      }
      index++;
      if (field.path === undefined) continue;
      const part = value[key];
      if (part !== null && !field.path(part, depth + 1)) return false;
    }
    return true;
  };
}

export const DECLARED_FORMS: Forms = { json: accepted, list, map, object };
