import { isRecord } from "../rpc/messages.js";

/** A value found in a message, with its JSON pointer. */
export interface Found {
  readonly value: unknown;
  readonly path: string;
}

/** A tree of patterns, so that common prefixes are read once. */
export interface Patterns {
  /** Whether a pattern ends here. */
  isEnd: boolean;
  readonly members: Map<string, Patterns>;
  /** The patterns for every element of a list. */
  each?: Patterns;
}

/** Combines patterns, which are names of members separated by `/`; `*` stands for every element of a list. */
export function toPatterns(patterns: readonly string[]): Patterns {
  const root: Patterns = { isEnd: false, members: new Map() };
  for (const pattern of patterns) {
    let node = root;
    for (const name of pattern.split("/")) {
      const next = name === "*" ? node.each : node.members.get(name);
      const child = next ?? { isEnd: false, members: new Map() };
      if (name === "*") node.each = child;
      else node.members.set(name, child);
      node = child;
    }
    node.isEnd = true;
  }
  return root;
}

/** Returns all values that patterns lead to, except null. */
export function findAll(patterns: Patterns, value: unknown): readonly Found[] {
  const found: Found[] = [];
  collect(patterns, value, "", found);
  return found;
}

function collect(patterns: Patterns, value: unknown, path: string, found: Found[]): void {
  if (patterns.isEnd) found.push({ value, path });
  if (isRecord(value)) {
    for (const [name, next] of patterns.members) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member !== undefined && member !== null) collect(next, member, `${path}/${name}`, found);
    }
  } else if (patterns.each !== undefined && Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index];
      if (element !== null) collect(patterns.each, element, `${path}/${index}`, found);
    }
  }
}
