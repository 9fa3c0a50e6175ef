import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { attributes, compileSite } from "./compile-site.js";

const { protocols, files } = await compileSite();
const bytes = (path: string): number => gzipSync(files.get(path)!, { level: 9 }).length;

test("check 17: what a page loads at once has at most 5 kB of script, and 40 kB in all; lists and catalogues 60 kB", () => {
  const known = new Map<string, number>();
  const weight = (path: string): number => {
    if (!known.has(path)) known.set(path, bytes(path));
    return known.get(path)!;
  };
  const heavy: string[] = [];
  for (const [path, html] of files) {
    if (!path.endsWith(".html") || path.endsWith("/validator.html")) continue;
    const from = (tag: RegExp, attribute: string): readonly string[] =>
      [...html.matchAll(tag)].flatMap(([element]) =>
        attributes(element, attribute).map((link) => posix.join(posix.dirname(path), link)),
      );
    const scripts = from(/<script[^>]*>/g, "src");
    const styles = from(/<link rel="stylesheet"[^>]*>/g, "href");
    const sum = (all: readonly string[]): number =>
      all.reduce((total, file) => total + weight(file), 0);
    const limit = /\/(methods|types)\//.test(path) ? 40_000 : 60_000;
    if (sum(scripts) > 5_000) heavy.push(`${path}: ${sum(scripts)} of script`);
    const total = weight(path) + sum(scripts) + sum(styles);
    if (total > limit) heavy.push(`${path}: ${total}`);
  }
  expect(heavy).toEqual([]);
});

test.each(protocols.map(({ profile }) => profile))(
  "check 23: all scripts of the validator of %s have at most 60 kB",
  (profile) => {
    const scripts = attributes(files.get(`${profile}/validator.html`)!, "src");
    expect(scripts.length).toBeGreaterThan(4);
    const total = scripts.reduce((sum, file) => sum + bytes(`${profile}/${file}`), 0);
    expect(total).toBeLessThan(60_000);
  },
);
