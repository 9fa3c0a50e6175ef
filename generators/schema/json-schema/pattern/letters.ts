/**
 * Divides all characters into groups that a pattern does not tell apart.
 *
 * @param sources how the characters of the pattern are written
 * @returns for each group, which of these its characters are taken by
 */
export function lettersOf(sources: readonly string[]): readonly ReadonlySet<string>[] {
  const distinct = [...new Set(sources)];
  const texts = textsFor(distinct);
  let groups: readonly Group[] = [{ texts, takenBy: new Set() }];
  for (const source of distinct) {
    const takes = testOf(source);
    groups = groups.flatMap(({ texts, takenBy }) => {
      const taken = texts.filter(takes);
      if (taken.length === 0) return [{ texts, takenBy }];
      const inside = { texts: taken, takenBy: new Set([...takenBy, source]) };
      if (taken.length === texts.length) return [inside];
      return [inside, { texts: texts.filter((text) => !takes(text)), takenBy }];
    });
  }
  return groups.map(({ takenBy }) => takenBy);
}

interface Group {
  readonly texts: readonly string[];
  readonly takenBy: ReadonlySet<string>;
}

function testOf(source: string): (text: string) => boolean {
  if (/^[^\\.[]$/u.test(source)) return (text) => text === source;
  const expression = new RegExp(`^(?:${source})$`, "u");
  return (text) => expression.test(text);
}

/**
 * Characters so that every group has one: between two that are written out, the
 * classes of the language tell only a few apart. Those of Unicode have to be
 * looked through, but for what stands beyond the Basic Multilingual Plane in rows.
 */
function textsFor(sources: readonly string[]): readonly string[] {
  const points = new Set([...upTo(0x80, 1), ...EDGES]);
  for (const source of sources) {
    const escaped = [...source.matchAll(/\\(?:u\{([^}]+)\}|u([^]{4})|x([^]{2}))/g)].map(
      ([, ...hex]) => parseInt(hex.join(""), 16),
    );
    for (const point of [...source].map((sign) => sign.codePointAt(0)!).concat(escaped))
      for (const near of [point - 1, point, point + 1]) points.add(near);
    if (!/\\[pP]/.test(source)) continue;
    for (const point of [...upTo(0x10000, 1), ...upTo(0x110000, 64)]) points.add(point);
  }
  return [...points]
    .filter((point) => point >= 0 && point <= 0x10ffff)
    .map((point) => String.fromCodePoint(point));
}

/** What `\s` and `.` tell apart beyond ASCII (ECMA-262, section 12), lone surrogates, and the neighbors. */
const EDGES = [
  0xa0, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff, 0xd800, 0xdfff,
].flatMap((point) => [point - 1, point, point + 1]);

function upTo(limit: number, step: number): number[] {
  return Array.from({ length: Math.ceil(limit / step) }, (_, index) => index * step);
}
