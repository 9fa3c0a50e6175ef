/** The depth that parsers of several languages do not exceed, by default. */
const MOST_LEVELS = 128;

/** The integers of 64 bits with a sign are at least the first and less than the second. */
const [LEAST, END] = [-(2 ** 63), 2 ** 63];

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{}]/g;

/**
 * Returns whether a JSON text has something that the types or parsers of a language may not represent:
 * a surrogate without its pair, a number that is not finite as a double, an integer beyond
 * 64 bits, or more than 128 levels.
 */
export function isHardToRepresent(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "[" || token === "{") {
      if (++depth > MOST_LEVELS) return true;
    } else if (token === "]" || token === "}") depth--;
    else if (token.startsWith('"') ? hasLoneSurrogate(token) : isHuge(Number(token))) return true;
  }
  return false;
}

function hasLoneSurrogate(token: string): boolean {
  return token.includes("\\u") && /\p{Surrogate}/u.test(JSON.parse(token) as string);
}

function isHuge(number: number): boolean {
  return (
    !Number.isFinite(number) || (Number.isInteger(number) && (number < LEAST || number >= END))
  );
}
