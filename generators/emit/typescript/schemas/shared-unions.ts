import { innerShapes } from "../../../model/map-shape.js";
import type { Definition } from "../../../model/protocol.js";
import type { Shape, UnionShape } from "../../../model/shape.js";
import type { Find } from "./shape-queries.js";

/** Fewer levels of unions than this are checked faster without remembering results. */
const MANY_LEVELS = 4;

/**
 * Returns the names of the definitions with a union without a tag, several variants of which lead
 * to the same union again, and so on for many levels: a check that tried all variants at each
 * level would take exponential time.
 */
export function sharedUnions(definitions: readonly Definition[], find: Find): ReadonlySet<string> {
  const levels = new Levels(find);
  const names = definitions.map(({ name }) => name);
  return new Set(names.filter((name) => levels.of(name) >= MANY_LEVELS));
}

class Levels {
  readonly #find: Find;
  readonly #levels = new Map<string, number>();
  readonly #reached = new Map<string, ReadonlySet<string>>();

  constructor(find: Find) {
    this.#find = find;
  }

  /** Returns how many levels of unions with shared definitions follow; infinite for recursion. */
  of(name: string): number {
    const known = this.#levels.get(name);
    if (known !== undefined) return known;
    // Stands for the result while it is computed, which only recursion meets.
    this.#levels.set(name, Infinity);
    const unions = inlineShapes(this.#find(name).shape).filter((shape) => shape.kind === "union");
    const levels = unions.map((union) => this.#levelsBelow(union));
    const most = Math.max(0, ...levels);
    this.#levels.set(name, most);
    return most;
  }

  #levelsBelow({ variants }: UnionShape): number {
    const met = new Set<string>();
    const shared = new Set<string>();
    for (const { slot } of variants)
      for (const name of this.#reach(slot.shape)) (met.has(name) ? shared : met).add(name);
    return shared.size === 0 ? 0 : 1 + Math.max(...[...shared].map((name) => this.of(name)));
  }

  /** Returns the definitions that a shape leads to. */
  #reach(shape: Shape): ReadonlySet<string> {
    const names = new Set(references(shape));
    for (const name of names) {
      let next = this.#reached.get(name);
      if (next === undefined)
        this.#reached.set(name, (next = new Set(references(this.#find(name).shape))));
      for (const one of next) names.add(one);
    }
    return names;
  }
}

function references(shape: Shape): string[] {
  return inlineShapes(shape).flatMap((inner) => (inner.kind === "reference" ? inner.name : []));
}

/** Returns a shape and all shapes in it, without those of the definitions that it refers to. */
function inlineShapes(shape: Shape): readonly Shape[] {
  const shapes = [shape];
  for (const one of shapes) shapes.push(...innerShapes(one).map((inner) => inner.shape));
  return shapes;
}
