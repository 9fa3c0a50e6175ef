import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "../support/paths.js";
import { filesBelow, type Source } from "./sources.js";

/** Reads the Python files below a folder, with the files that they import relatively. */
export function readPythonSources(folder: string): readonly Source[] {
  const paths = filesBelow(folder).filter((path) => path.endsWith(".py"));
  const known = new Set(paths);
  return paths.map((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    const found = [...text.matchAll(/^ *from (\.+)([\w.]*) import (\([^)]*\)|[^\n]+)/gm)];
    const imports = found.flatMap(([statement, dots, module, names]) => {
      const base = posix.join(
        posix.dirname(path),
        ...dots!.slice(1).replaceAll(".", "../").split("/"),
      );
      const target = posix.join(base, module!.replaceAll(".", "/"));
      const own = names!.match(/\w+/g) ?? [];
      const candidates = [...own.map((name) => `${target}/${name}.py`), `${target}.py`];
      const files = candidates.filter((one) => known.has(one));
      return files.map((from) => ({ from, names: statement.trim() }));
    });
    return { path, text, imports };
  });
}
