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

/** Every character of the Basic Multilingual Plane, some beyond it, and those that are written out. */
function textsFor(sources: readonly string[]): readonly string[] {
  const points = new Set(Array.from({ length: 0x10000 }, (_, point) => point));
  for (let point = 0x10000; point < 0x110000; point += 64) points.add(point);
  for (const source of sources) {
    const escaped = [...source.matchAll(/\\u\{([0-9a-fA-F]+)\}/g)].map(([, hex]) =>
      parseInt(hex!, 16),
    );
    for (const point of [...source].map((sign) => sign.codePointAt(0)!).concat(escaped))
      for (const near of [point - 1, point, point + 1]) points.add(near);
  }
  return [...points]
    .filter((point) => point >= 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
    .map((point) => String.fromCodePoint(point));
}
