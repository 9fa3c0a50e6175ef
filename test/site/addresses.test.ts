import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { attributes, methodPage } from "./markup.js";
import { openSite } from "./site.js";

const { protocols, files, pages, page } = await openSite();

describe("check 2, 3: addresses", () => {
  test("no link of any page is dead, and no anchor", () => {
    const ids = new Map(pages.map(([path, html]) => [path, new Set(attributes(html, "id"))]));
    const dead: string[] = [];
    let count = 0;
    for (const [path, html] of pages) {
      for (const link of [...attributes(html, "href"), ...attributes(html, "src")]) {
        count++;
        const [file, id] = link.split("#") as [string, string?];
        const target = file === "" ? path : posix.join(posix.dirname(path), file);
        if (!files.has(target) || (id !== undefined && !ids.get(target)?.has(id)))
          dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
    expect(count).toBeGreaterThan(100_000);
  });

  test("every page can be reached from the front page", () => {
    const reached = new Set(["index.html", "404.html"]);
    for (const path of reached) {
      for (const link of attributes(page(path), "href")) {
        const target = posix.join(posix.dirname(path), link.split("#")[0] || posix.basename(path));
        if (target.endsWith(".html")) reached.add(target);
      }
    }
    expect(pages.map(([path]) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  test("no page has an id twice, no two paths differ only in case, none is hidden", () => {
    for (const [path, html] of pages) {
      const ids = attributes(html, "id");
      expect(new Set(ids).size, path).toBe(ids.length);
    }
    const paths = [...files.keys()];
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    expect(paths.filter((path) => /(^|\/)[_.]/.test(path))).toEqual([]);
  });

  test("pages of methods and types have the same address in every profile", () => {
    for (const { profile, methods, definitions } of protocols) {
      for (const { name } of methods)
        expect(files.has(`${profile}/${methodPage(name)}`)).toBe(true);
      for (const { name } of definitions)
        expect(files.has(`${profile}/types/${name}.html`)).toBe(true);
    }
  });
});

test("check 21: every address and id that was ever published still leads somewhere", async () => {
  const { readFileSync } = await import("node:fs");
  const published = readFileSync(new URL("published.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  expect(published.length).toBeGreaterThan(1500);
  const lost = published.flatMap((line) => {
    const [path, ...ids] = line.split(" ") as [string, ...string[]];
    const html = files.get(path);
    if (html === undefined) return [path];
    if (html.includes("This page has moved")) return [];
    const known = new Set(attributes(html, "id"));
    return ids.filter((id) => !known.has(id)).map((id) => `${path}#${id}`);
  });
  expect(lost).toEqual([]);
});

test("check 24: no page has a script in it or asks another host for anything, so that a strict policy can be set", () => {
  for (const [path, html] of pages) {
    expect(html, path).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html, path).not.toMatch(/\s(style|on[a-z]+)="/);
    for (const link of [...attributes(html, "href"), ...attributes(html, "src")])
      expect(link, path).not.toMatch(/^([a-z]+:|\/)/i);
  }
  for (const [path, text] of files)
    if (path.endsWith(".css")) expect(text, path).not.toMatch(/url\(|@import|@font-face/);
});
