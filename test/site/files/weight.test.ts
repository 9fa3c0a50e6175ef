import { posix } from "node:path";
import { expect, test } from "vitest";
import { attributes, bytes } from "../support/markup.js";
import { openSite } from "../support/site.js";

const { protocols, pages, page } = await openSite();

/** The bytes that are sent for a file that a page names. */
const sizes = new Map<string, number>();
function sizeOf(path: string): number {
  const size = sizes.get(path) ?? bytes(page(path));
  sizes.set(path, size);
  return size;
}

/** The files that come with a page, by their ending. */
function partsOf(path: string, html: string, ending: string): readonly string[] {
  const head = html.slice(0, html.indexOf("<body"));
  return (
    [...attributes(head, "href"), ...attributes(head, "src")]
      .filter((link) => link.endsWith(ending))
      // The page for wrong addresses asks for its script in every folder above it; one has it.
      .filter((link) => !/^(\.\.\/)+acp-not-found\.js$/.test(link))
      .map((link) => posix.join(posix.dirname(path), link))
  );
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

test("the page of a method or type is 40 KB at most with everything, 5 KB of it script", () => {
  const heavy = pages.flatMap(([path, html]) => {
    if (!/\/(methods|types)\//.test(path)) return [];
    const script = sum(partsOf(path, html, ".js").map(sizeOf));
    const all = bytes(html) + script + sum(partsOf(path, html, ".css").map(sizeOf));
    expect(script, path).toBeGreaterThan(0);
    return all > 40 * 1024 || script > 5 * 1024 ? [`${path}: ${all}, ${script}`] : [];
  });
  expect(heavy).toEqual([]);
});

test("the search of all profiles is 69 kB at most", () => {
  expect(sizeOf("search.js")).toBeLessThanOrEqual(69_000);
});

test.each(protocols.map(({ profile }) => profile))(
  "all scripts of the validator of %s are 73 KB at most",
  (profile) => {
    const path = `${profile}/validator.html`;
    const scripts = partsOf(path, page(path), ".js");
    expect(scripts.length).toBeGreaterThan(4);
    expect(sum(scripts.map(sizeOf))).toBeLessThanOrEqual(73 * 1024);
  },
);

test("no page asks another host for anything, or for a font", () => {
  for (const [path, html] of pages)
    for (const link of [...attributes(html, "href"), ...attributes(html, "src")])
      // Links to specifications are followed by people, not by the page.
      if (!html.includes(`<a href="${link}"`) || !link.startsWith("https://"))
        expect(link, path).not.toMatch(/^([a-z]+:|\/)|\.(woff2?|ttf|otf)$/i);
  for (const { profile } of protocols)
    expect(page(`${profile}/assets/style.css`), profile).not.toMatch(/url\(|@import|@font-face/);
});
