import type { Import, Source } from "./sources.js";

/** One import of a circle: which file, and what it imports from the next one. */
export interface Tie {
  readonly path: string;
  readonly tie: Import;
}

/** Returns one circle for each group of files that reach each other. */
export function findCircles(sources: readonly Source[]): Tie[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const circles: Tie[][] = [];
  const visit = (path: string, trail: Tie[]): void => {
    const start = trail.findIndex((tie) => tie.path === path);
    if (start >= 0) return void circles.push(trail.slice(start));
    if (done.has(path)) return;
    for (const tie of byPath.get(path)?.imports ?? [])
      if (byPath.has(tie.from)) visit(tie.from, [...trail, { path, tie }]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return circles;
}
