/** The parts of a patch in Git's format that change the text of a file, one for each file. */
export interface GitPatch {
  readonly parts: readonly string[];
  /**
   * Finds the part for a changed file: that with its path, or, where the patch has as many parts as
   * the diff has files, that in its place if its path is relative.
   */
  readonly find: (path: string, index: number, count: number) => string | undefined;
}

/** The texts of a file around its changes. */
export interface Texts {
  readonly before: string;
  readonly after: string;
}

/** Splits a patch into its files; one without hunks, such as a file that only moves, is left out. */
export function readPatch(patch: string): GitPatch {
  const parts: string[] = [];
  const names: string[] = [];
  const byPath = new Map<string, string>();
  for (const part of patch.split(/^(?=diff --git )/m)) {
    const head = headOf(part);
    if (head === undefined) continue;
    const path = pathAfter(head, "+++") ?? pathAfter(head, "---") ?? "";
    // Prefixes such as `a/` are not allowed, but common.
    const name = path.replace(/^[a-z]\//, "");
    for (const known of [`/${name}`, name, path]) byPath.set(known, part);
    parts.push(part);
    names.push(name);
  }
  const isInPlace = (path: string, index: number, count: number): boolean =>
    parts.length === count && path.endsWith(`/${names[index]}`);
  return {
    parts,
    find: (path, index, count) =>
      byPath.get(path) ?? (isInPlace(path, index, count) ? parts[index] : undefined),
  };
}

/** Returns the lines before the first hunk; undefined when there is none. */
function headOf(part: string): string | undefined {
  const end = part.search(/^@@ /m);
  return end < 0 ? undefined : part.slice(0, end);
}

/** Checks whether a part sets the mode of its file to something else than that of a plain file. */
export function hasMode(part: string): boolean {
  return /^(old mode|new mode|new file mode (?!100644))/m.test(headOf(part) ?? "");
}

/** Returns the texts in the hunks of a part, one after the other. */
export function textsOf(part: string): Texts {
  const before: string[] = [];
  const after: string[] = [];
  let isInHunk = false;
  let last: string[][] = [];
  for (const line of part.split("\n")) {
    if (line.startsWith("@@ ")) isInHunk = true;
    else if (isInHunk) {
      if (line.startsWith("\\")) for (const side of last) side.push(side.pop()!.slice(0, -1));
      last = { " ": [before, after], "-": [before], "+": [after] }[line[0] ?? ""] ?? [];
      for (const side of last) side.push(`${line.slice(1)}\n`);
    }
  }
  return { before: before.join(""), after: after.join("") };
}

/** Returns the path in a line of the head; undefined when the file does not exist on that side. */
function pathAfter(head: string, mark: "---" | "+++"): string | undefined {
  const line = head.split("\n").find((one) => one.startsWith(`${mark} `));
  const given = line?.slice(4) ?? "/dev/null";
  // A name with spaces ends with a tab.
  const path = given.startsWith('"') ? unquote(given) : given.split("\t")[0]!;
  return path === "/dev/null" ? undefined : path;
}

const ESCAPES: { readonly [letter: string]: string } = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
};

/** Returns a path that Git has quoted: bytes are octal, and some have letters. */
function unquote(quoted: string): string {
  const body = /^"((?:[^"\\]|\\.)*)"/s.exec(quoted)?.[1] ?? quoted;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [, octal, letter, plain] of body.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(parseInt(octal, 8) & 0xff);
    else bytes.push(...encoder.encode(plain ?? ESCAPES[letter!] ?? letter));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
