import { withoutControls } from "./controls.js";

/** A form that an import may allow, or a keyword that it may ignore, by name. */
export type Switch = { readonly allow: string } | { readonly ignore: string };

/** One problem in an input: its description, location and remedy. */
export interface Problem {
  /** The problem, in one sentence; a path at its end has no full stop. */
  readonly message: string;
  /** The file it was found in, as the user would name it; absent when it is not about a file. */
  readonly file?: string;
  /** JSON pointer (RFC 6901) inside the file; `""` is the whole document. */
  readonly pointer?: string;
  /** The remedy, in one sentence. */
  readonly hint?: string;
  /** What makes an import accept it. */
  readonly accepts?: Switch;
  /** What is wrong, where messages about the same name different values; the message when absent. */
  readonly cause?: string;
  /** The property that the place lacks. */
  readonly missing?: string;
  /** Further places in the file that have the same problem. */
  readonly others?: readonly string[];
  /** The line and column in the file, counted from 1. */
  readonly position?: { readonly line: number; readonly column: number };
}

/** The greatest number of problems that are printed. */
const MOST = 100;

/**
 * Thrown for every error in an input: a module, a feature, a schema, a flag.
 * The command line prints its problems without a stack trace.
 */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly problems: readonly Problem[];
  /** `schema`: the input is invalid (exit 1). `usage`: the command was called wrongly (exit 2). */
  readonly kind: "schema" | "usage";

  constructor(problems: readonly Problem[], kind: "schema" | "usage" = "schema") {
    super(firstProblems(problems).map(formatProblem).join("\n"));
    this.problems = problems;
    this.kind = kind;
  }
}

/** Returns the problems that are printed: beyond a limit, only how many there are. */
export function firstProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MOST) return problems;
  return [...problems.slice(0, MOST), { message: `and ${problems.length - MOST} more` }];
}

/**
 * Formats a problem as one line, `file:line:column#pointer: message. hint`, with control characters
 * escaped. It says in how many places the file has it.
 */
export function formatProblem(problem: Problem): string {
  const pointer = problem.pointer ? `#${problem.pointer}` : "";
  const { line, column } = problem.position ?? {};
  const position = line === undefined ? "" : `:${line}:${column}`;
  const place = problem.file === undefined ? "" : `${problem.file}${position}${pointer}: `;
  const hint = problem.hint ? ` ${problem.hint}` : "";
  const { others = [] } = problem;
  const count = others.length === 0 ? "" : ` (the first of ${others.length + 1} places)`;
  const end = /[.!?]$/.test(`${problem.message}${count}`) ? "" : ".";
  return withoutControls(`${place}${problem.message}${count}${end}${hint}`);
}

/**
 * Puts problems with one cause and one remedy together, in the order of their first places: a
 * document that a program has written has each of its forms in many places.
 */
export function groupProblems(problems: readonly Problem[]): readonly Problem[] {
  const groups = new Map<string, Problem & { readonly others: string[] }>();
  for (const problem of problems) {
    const { file = "", pointer = "", message, hint = "", cause = message } = problem;
    const key = JSON.stringify([file, cause, hint]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ...problem, others: [] });
    else if (pointer !== group.pointer) group.others.push(pointer);
  }
  return [...groups.values()].map(({ others, ...first }) =>
    others.length === 0 ? first : { ...first, others: [...new Set(others)] },
  );
}

/** Builds a JSON pointer (RFC 6901) from its tokens. */
export function jsonPointer(tokens: readonly (string | number)[]): string {
  return tokens
    .map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** Returns the tokens of a JSON pointer (RFC 6901, sections 3 and 4). */
export function parsePointer(pointer: string): string[] {
  const tokens = pointer.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns a problem about a rewritten document as one about the document as it was written. */
export function inWritten(problem: Problem, toWritten: (pointer: string) => string): Problem {
  const { pointer } = problem;
  return pointer === undefined ? problem : { ...problem, pointer: toWritten(pointer) };
}

/** Returns the hint for an unknown name: the nearest known name, or `otherwise` when none is near. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string {
  const near = nearest(name, known);
  return near === undefined ? otherwise : `Did you mean "${near}"?`;
}

/**
 * Returns the known name nearest to a mistyped one; undefined when none is near. The
 * runtime has its own copy in `did-you-mean.ts`, since the package that is
 * generated does not import the tool.
 */
export function nearest(
  name: string,
  known: Iterable<string>,
  limit = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance; the names compared here are short. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Returns a word of a command line, quoted where a shell would not take it literally: `$ref`, `a&b`. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
