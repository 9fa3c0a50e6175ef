import { lettersOf } from "./letters.js";
import { UnsupportedPattern, type Part } from "./read-pattern.js";

/**
 * Counts in how many ways a matcher that goes back on its steps can be in the
 * middle of a text at once. When that has a limit, the time for a text is its
 * length times the limit; otherwise it grows with the square of the length or
 * doubles with every character.
 *
 * Every way is a path through an automaton with a state for each character of
 * the pattern (Glushkov's), in which arrows count: `(a|a)*` has two from an `a`
 * to the next. A search that may begin anywhere is a path that waits.
 *
 * @returns the greatest number for any text, or infinity when it is more than `most`
 * @throws UnsupportedPattern when the pattern is too long to be counted
 */
export function countWays(pattern: Part, most: number): number {
  const automaton = new Automaton();
  const whole = automaton.add(withoutTail(pattern));
  const start = new Map(whole.first);
  if (!isAnchored(pattern)) {
    const waiting = automaton.addCharacter("[^]");
    addTo(start, waiting, 1);
    automaton.connect(new Map([[waiting, 1]]), start);
  }
  const letters = lettersOf(automaton.sources);
  const seen = new Set<string>();
  const open: Counts[] = [];
  let greatest = 0;
  const visit = (counts: Counts): boolean => {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    greatest = Math.max(greatest, total);
    const key = [...counts].sort(([a], [b]) => a - b).join(" ");
    if (!seen.has(key)) open.push(counts);
    seen.add(key);
    return total <= most;
  };
  const step = (arrows: readonly (readonly [Counts, number])[]): boolean =>
    letters.every((letter) => {
      const next = new Map<number, number>();
      for (const [targets, times] of arrows) {
        for (const [state, count] of targets)
          if (letter.has(automaton.sources[state]!)) addTo(next, state, count * times);
      }
      return visit(next);
    });
  if (!step([[start, 1]])) return Infinity;
  for (const counts of open) {
    if (seen.size > MOST_SITUATIONS) throw new UnsupportedPattern("more than can be looked at");
    const arrows = [...counts].map(([state, count]) => [automaton.follow[state]!, count] as const);
    if (!step(arrows)) return Infinity;
  }
  return greatest;
}

const MOST_SITUATIONS = 2_000;

/** Beyond this number of states, what is repeated a few times counts like what is repeated at will. */
const MANY_STATES = 200;

/** How often states occur. */
type Counts = ReadonlyMap<number, number>;

/** What a part of the pattern begins and ends with, and in how many ways it may be empty. */
interface Ends {
  readonly first: Counts;
  readonly last: Counts;
  readonly empty: number;
}

class Automaton {
  /** How the character of each state is written. */
  readonly sources: string[] = [];
  /** Where each state can go. */
  readonly follow: Map<number, number>[] = [];

  addCharacter(source: string): number {
    if (this.sources.length > 4 * MANY_STATES)
      throw new UnsupportedPattern("more than can be looked at");
    this.follow.push(new Map());
    return this.sources.push(source) - 1;
  }

  connect(from: Counts, to: Counts): void {
    for (const [state, ways] of from)
      for (const [next, count] of [...to]) addTo(this.follow[state]!, next, ways * count);
  }

  add(part: Part): Ends {
    switch (part.kind) {
      case "nothing":
        return NOTHING;
      case "character": {
        const only = new Map([[this.addCharacter(part.source), 1]]);
        return { first: only, last: only, empty: 0 };
      }
      case "sequence":
        return part.parts.reduce(
          (before: Ends, next) => this.join(before, this.add(next)),
          NOTHING,
        );
      case "choice":
        return part.parts.map((one) => this.add(one)).reduce(either);
      case "ahead":
        // A path that ends beside one that goes on.
        return { first: this.add(part.body).first, last: new Map(), empty: 1 };
      case "repeat":
        return this.repeat(part);
      default:
        return part satisfies never;
    }
  }

  join(a: Ends, b: Ends): Ends {
    this.connect(a.last, b.first);
    return {
      first: plus(a.first, b.first, a.empty),
      last: plus(b.last, a.last, b.empty),
      empty: a.empty * b.empty,
    };
  }

  repeat({ body, least, most }: Extract<Part, { kind: "repeat" }>): Ends {
    const copies = most === Infinity ? Math.max(least, 1) : most;
    if (copies === 0) return NOTHING;
    if (copies > 1 && this.sources.length + copies * sizeOf(body) > MANY_STATES)
      return this.repeat({ kind: "repeat", body, least: Math.min(least, 1), most: Infinity });
    let tail: Ends = NOTHING;
    // From the end: what is optional holds what is optional behind it.
    for (let copy = copies; copy >= 1; copy--) {
      const one = this.add(body);
      if (copy === copies && most === Infinity) this.connect(one.last, one.first);
      const rest = this.join(one, tail);
      tail = copy > least ? { ...rest, empty: 1 } : rest;
    }
    return tail;
  }
}

const NOTHING: Ends = { first: new Map(), last: new Map(), empty: 1 };

function either(a: Ends, b: Ends): Ends {
  return {
    first: plus(a.first, b.first, 1),
    last: plus(a.last, b.last, 1),
    empty: a.empty + b.empty,
  };
}

function plus(a: Counts, b: Counts, times: number): Counts {
  const sum = new Map(a);
  if (times > 0) for (const [state, count] of b) addTo(sum, state, count * times);
  return sum;
}

function addTo(counts: Map<number, number>, state: number, count: number): void {
  counts.set(state, (counts.get(state) ?? 0) + count);
}

function sizeOf(part: Part): number {
  switch (part.kind) {
    case "nothing":
      return 0;
    case "character":
      return 1;
    case "sequence":
    case "choice":
      return part.parts.reduce((sum, one) => sum + sizeOf(one), 0);
    case "ahead":
      return sizeOf(part.body);
    case "repeat":
      return sizeOf(part.body) * (part.most === Infinity ? Math.max(part.least, 1) : part.most);
    default:
      return part satisfies never;
  }
}

/** Whether a match can only begin where the text begins. */
function isAnchored(part: Part): boolean {
  if (part.kind === "choice") return part.parts.every(isAnchored);
  if (part.kind === "sequence") return part.parts[0] !== undefined && isAnchored(part.parts[0]);
  return part.kind === "nothing" && part.isStart;
}

/** Without what can take any number of characters at the end and never fails: nobody goes back from there. */
function withoutTail(part: Part): Part {
  if (part.kind === "choice") return { ...part, parts: part.parts.map(withoutTail) };
  const parts = part.kind === "sequence" ? part.parts : [part];
  const last = parts.at(-1);
  if (last?.kind !== "repeat" || last.body.kind !== "character" || last.least > 1) return part;
  const before = { kind: "sequence", parts: parts.slice(0, -1) } as const;
  if (last.least === 0) return withoutTail(before);
  return { ...before, parts: [...before.parts, last.body] };
}
