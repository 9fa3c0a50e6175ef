import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { isOf } from "../../../generators/schema/source/docs-source.js";
import { loadDocs } from "../../../generators/schema/source/load-docs.js";
import { ROOT } from "../../support/paths.js";
import { attributes, methodPage } from "../support/markup.js";
import { findLost, isMovedPage, parseAddresses } from "./published.js";
import { openSite } from "../support/site.js";

const { protocols, files, pages, page } = await openSite();

describe("addresses", () => {
  test("no link of any page is dead, and no anchor", () => {
    const ids = new Map(pages.map(([path, html]) => [path, new Set(attributes(html, "id"))]));
    const dead: string[] = [];
    let count = 0;
    for (const [path, html] of pages) {
      for (const link of [...attributes(html, "href"), ...attributes(html, "src")]) {
        count++;
        // Specifications and the like, which a build without a network cannot reach.
        if (link.startsWith("https://")) continue;
        // The page for wrong addresses asks for its script in every folder above it.
        if (path === "404.html" && /^(\.\.\/)+acp-not-found\.js$/.test(link)) continue;
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
        if (link.startsWith("https://")) continue;
        const target = posix.join(posix.dirname(path), link.split("#")[0] || posix.basename(path));
        if (target.endsWith(".html")) reached.add(target);
      }
    }
    // Only old links lead to pages that have moved.
    const lost = pages.filter(([path, html]) => !reached.has(path) && !isMovedPage(html));
    expect(lost.map(([path]) => path)).toEqual([]);
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

test("every address and id that was ever published still works", () => {
  const text = readFileSync(new URL("published.txt", import.meta.url), "utf8");
  const published = parseAddresses(text);
  expect(published.size).toBeGreaterThan(1400);
  expect(findLost(published, files)).toEqual([]);
});

test("every entry of moved pages and parts is used, and leads to a page that some profile has", () => {
  const { moved } = loadDocs(join(ROOT, "schema"));
  const wrong = moved.filter((entry) => {
    const own = protocols.filter(({ version }) => isOf(entry, version));
    const has = (address: string): boolean => {
      const [path, id] = address.split("#") as [string, string?];
      return own.some(({ profile }) => {
        const html = files.get(`${profile}/${path}`);
        return html !== undefined && (id === undefined || attributes(html, "id").includes(id));
      });
    };
    const page = own.map(({ profile }) => files.get(`${profile}/${entry.page}`));
    const isUsed =
      entry.id === undefined
        ? page.some((html) => html !== undefined && isMovedPage(html))
        : has(`${entry.page}#${entry.id}`);
    return !isUsed || (entry.to !== undefined && !has(entry.to));
  });
  expect(wrong).toEqual([]);
});
