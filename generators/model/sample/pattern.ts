/** Longer texts are no samples. */
export const LONGEST = 1_000;

/** What a part of a pattern that stands for one character may be. */
const CHARACTERS = [..."aA01-_./ "].concat(
  Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
);

/**
 * Makes a text from a regular expression: the first alternative of each group,
 * the first fitting character of each class. Look-around, references and the
 * like are beyond it, so what comes out has to be checked.
 *
 * @param pattern an ECMAScript regular expression with the flag `u`
 * @param repeats how often a part stands that may stand any number of times
 * @returns nothing when a part of the pattern is beyond it
 */
export function textOfPattern(pattern: string, repeats: number): string | undefined {
  const reader = { pattern, repeats, at: 0 };
  const text = alternatives(reader);
  return reader.at === pattern.length ? text : undefined;
}

interface Reader {
  readonly pattern: string;
  readonly repeats: number;
  at: number;
}

function alternatives(reader: Reader): string | undefined {
  const first = sequence(reader);
  while (reader.pattern[reader.at] === "|") {
    reader.at++;
    sequence(reader);
  }
  return first;
}

function sequence(reader: Reader): string | undefined {
  let text: string | undefined = "";
  while (reader.at < reader.pattern.length && !/[|)]/.test(reader.pattern[reader.at]!)) {
    const part = atom(reader);
    const count = quantity(reader);
    const isLong: boolean = (part?.length ?? 0) * count + (text?.length ?? 0) > LONGEST;
    text =
      text === undefined || part === undefined || isLong ? undefined : text + part.repeat(count);
  }
  return text;
}

/** `^`, `$`, a group, or whatever stands for one character. */
function atom(reader: Reader): string | undefined {
  const rest = reader.pattern.slice(reader.at);
  if (/^[\^$]/.test(rest)) {
    reader.at++;
    return "";
  }
  const group = /^\((?:\?:|\?<[^=!>]+>|(?!\?))/.exec(rest);
  if (group !== null) {
    reader.at += group[0].length;
    const text = alternatives(reader);
    reader.at++;
    return text;
  }
  const [source] = /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u.{4}|x..|.)|[^])/u.exec(
    rest,
  )!;
  reader.at += source.length;
  return character(source);
}

function character(source: string): string | undefined {
  try {
    const expression = new RegExp(`^(?:${source})$`, "u");
    return [source, ...CHARACTERS].find((text) => expression.test(text));
  } catch {
    return undefined;
  }
}

/** How often the part before it stands. */
function quantity(reader: Reader): number {
  const [source, mark, least = "", comma, most = ""] =
    /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})?\??/.exec(reader.pattern.slice(reader.at))!;
  if (source === "" || (source === "?" && mark === undefined)) return 1;
  reader.at += source.length;
  if (mark === "?") return 1;
  if (mark !== undefined) return reader.repeats;
  if (comma === undefined) return Number(least);
  return Math.max(Number(least), Math.min(reader.repeats, most === "" ? Infinity : Number(most)));
}
