/** A part of a regular expression, as far as it decides how many ways there are to match a text. */
export type Part =
  /** One character of a set, which is written like this. */
  | { readonly kind: "character"; readonly source: string }
  /** Matches without taking anything: `^`, `$`, a word boundary, looking behind. */
  | { readonly kind: "nothing"; readonly isStart: boolean }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly parts: readonly Part[] }
  | {
      readonly kind: "repeat";
      readonly body: Part;
      readonly least: number;
      /** May be infinite. */
      readonly most: number;
    }
  /** Looks at what follows and takes nothing. */
  | { readonly kind: "ahead"; readonly body: Part };

/** Thrown for what a pattern may not have. */
export class UnsupportedPattern extends Error {
  override readonly name = "UnsupportedPattern";
}

/**
 * Reads a pattern that is known to be an ECMAScript regular expression with the flag `u`.
 *
 * @throws UnsupportedPattern for back-references, for looking far behind, and for what older engines
 *   do not know
 */
export function readPattern(source: string): Part {
  return readChoice({ source: withoutPairs(source), at: 0, names: new Set() });
}

/** Two escapes that stand for one character become that character. */
function withoutPairs(source: string): string {
  return source.replaceAll(
    /\\(?:u(d[89ab][^]{2})\\u(d[c-f][^]{2})|[^])/gi,
    (all, high?: string, low?: string) =>
      high === undefined || low === undefined
        ? all
        : String.fromCharCode(parseInt(high, 16), parseInt(low, 16)),
  );
}

interface Reader {
  readonly source: string;
  readonly names: Set<string>;
  at: number;
}

function readChoice(reader: Reader): Part {
  const parts = [readSequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at++;
    parts.push(readSequence(reader));
  }
  return parts.length === 1 ? parts[0]! : { kind: "choice", parts };
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = [];
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source[reader.at]!)) {
    parts.push(readQuantity(reader, readAtom(reader)));
  }
  return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
}

/** One character, in any way of writing it: a class, an escape, itself. */
const CHARACTER =
  /\[(?:\\[^]|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[^]{4}|x[^]{2}|c[^]|[^])|[^]/uy;

function readAtom(reader: Reader): Part {
  const { source } = reader;
  const rest = source.slice(reader.at, reader.at + 4);
  const assertion = /^(?:[$^]|\\[bB])/.exec(rest)?.[0];
  if (assertion !== undefined) {
    reader.at += assertion.length;
    return { kind: "nothing", isStart: assertion === "^" };
  }
  if (/^\\[1-9k]/.test(rest)) throw new UnsupportedPattern("a back-reference");
  if (rest.startsWith("(")) return readGroup(reader);
  CHARACTER.lastIndex = reader.at;
  const [character] = CHARACTER.exec(source)!;
  reader.at += character.length;
  return { kind: "character", source: character };
}

function readGroup(reader: Reader): Part {
  const opening = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[^]))?/uy;
  opening.lastIndex = reader.at;
  const [open] = opening.exec(reader.source)!;
  reader.at += open.length;
  const name = /^\(\?<([^=!].*)>$/u.exec(open)?.[1];
  if (name === undefined && !/^\((\?(:|<?[=!]))?$/.test(open))
    throw new UnsupportedPattern("a modifier");
  if (name !== undefined && reader.names.has(name))
    throw new UnsupportedPattern("a name that two groups have");
  if (name !== undefined) reader.names.add(name);
  const body = readChoice(reader);
  reader.at++;
  if (/^\(\?[=!]/.test(open)) return { kind: "ahead", body };
  if (!/^\(\?<[=!]/.test(open)) return body;
  if (!(stepsOf(body) <= MOST_BEHIND)) throw new UnsupportedPattern("looking far behind");
  return { kind: "nothing", isStart: false };
}

/** At every place of a text, the matcher goes back as far as it can, in every way that there is. */
const MOST_BEHIND = 64;

/** How many steps there are in all ways to match a part; infinite when it has no longest text. */
function stepsOf(part: Part): number {
  const ways = waysOf(part);
  return ways.count * ways.length;
}

/** In how many ways a part can match, at most, and with how many characters. */
function waysOf(part: Part): { readonly count: number; readonly length: number } {
  switch (part.kind) {
    case "character":
      return { count: 1, length: 1 };
    case "nothing":
      return { count: 1, length: 0 };
    case "ahead":
      return waysOf(part.body);
    case "choice": {
      const parts = part.parts.map(waysOf);
      const length = Math.max(...parts.map((one) => one.length));
      return { count: parts.reduce((sum, one) => sum + one.count, 0), length };
    }
    case "sequence": {
      const parts = part.parts.map(waysOf);
      const length = parts.reduce((sum, one) => sum + one.length, 0);
      return { count: parts.reduce((product, one) => product * one.count, 1), length };
    }
    case "repeat": {
      const body = waysOf(part.body);
      const counts = part.most - part.least + 1;
      return { count: counts * body.count ** part.most, length: body.length * part.most };
    }
    default:
      return part satisfies never;
  }
}

function readQuantity(reader: Reader, body: Part): Part {
  const quantity = /(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/y;
  quantity.lastIndex = reader.at;
  const found = quantity.exec(reader.source);
  if (found === null) return body;
  reader.at += found[0].length;
  const [, sign, from = "", comma, to] = found;
  if (sign === "?") return { kind: "repeat", body, least: 0, most: 1 };
  if (sign !== undefined)
    return { kind: "repeat", body, least: sign === "+" ? 1 : 0, most: Infinity };
  const least = Number(from);
  const most = comma === undefined ? least : to === undefined ? Infinity : Number(to);
  return { kind: "repeat", body, least, most };
}
