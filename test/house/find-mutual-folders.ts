import type { Source } from "./sources.js";

/** Returns the pairs of sibling folders of which files import each other, each with one import in each direction. */
export function findMutualFolders(sources: readonly Source[]): Map<string, readonly string[]> {
  const known = new Set(sources.map(({ path }) => path));
  const arrows = new Map<string, string>();
  for (const { path, imports } of sources)
    for (const { from } of imports.filter((one) => known.has(one.from))) {
      const [here, there] = siblingsOf(path, from);
      if (here !== undefined && there !== undefined)
        arrows.set(`${here} ${there}`, `${path} imports ${from}`);
    }
  const pairs = new Map<string, readonly string[]>();
  for (const [arrow, example] of arrows) {
    const [here, there] = arrow.split(" ") as [string, string];
    const back = arrows.get(`${there} ${here}`);
    if (here < there && back !== undefined) pairs.set(`${here} <-> ${there}`, [example, back]);
  }
  return pairs;
}

/** Returns the folders that hold two files and lie in the same folder; undefined for a file that lies there itself. */
function siblingsOf(a: string, b: string): [string | undefined, string | undefined] {
  const [left, right] = [a.split("/"), b.split("/")];
  let depth = 0;
  while (left[depth] === right[depth] && depth < left.length) depth++;
  const folderOf = (parts: readonly string[]): string | undefined =>
    depth < parts.length - 1 ? parts.slice(0, depth + 1).join("/") : undefined;
  return [folderOf(left), folderOf(right)];
}
