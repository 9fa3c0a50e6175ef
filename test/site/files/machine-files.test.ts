import { expect, test } from "vitest";
import { decodeHtml } from "../../generators/emit/markup-nodes.js";
import { openSite } from "../support/site.js";

const { protocols, pages, page, files } = await openSite();

test("every page has a twin in Markdown with the same headings", () => {
  for (const [path, html] of pages) {
    const headings = [...html.matchAll(/<h\d[^>]*>(.*?)<\/h\d>/g)].map((match) =>
      decodeHtml(match[1]!.replace(/<[^>]+>/g, "")),
    );
    const text = page(`${path}.md`).replaceAll(/^(`{3,}).*\n[^]*?\n\1$/gm, "");
    const twin = [...text.matchAll(/^#+ (.*)$/gm)].map((match) =>
      match[1]!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[\\`]/g, ""),
    );
    expect(twin, path).toEqual(headings);
  }
});

test("llms.txt lists every page: that of a profile its own, the one above them the others", () => {
  for (const { profile } of protocols) {
    const index = page(`${profile}/llms.txt`);
    for (const [path] of pages)
      if (path.startsWith(`${profile}/`))
        expect(index, path).toContain(`](${path.slice(profile.length + 1)}.md)`);
    expect(page("llms.txt")).toContain(`](${profile}/llms.txt)`);
  }
  const above = pages.filter(
    ([path]) => !protocols.some(({ profile }) => path.startsWith(`${profile}/`)),
  );
  const ownPages = above.map(([path]) => path).filter((path) => !path.startsWith("tool/"));
  expect(ownPages.sort()).toEqual(["404.html", "index.html"]);
  expect(above.length).toBeGreaterThan(5);
  for (const [path] of above)
    // There is nothing to read where nothing is.
    if (path !== "404.html") expect(page("llms.txt")).toContain(`](${path}.md)`);
});

test("no page has an inline script or style, so that the strictest policy can be set", () => {
  for (const [path, html] of pages) {
    expect(html, path).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html, path).toContain("Content-Security-Policy");
    expect(html, path).not.toMatch(/<style/);
    expect(html, path).not.toMatch(/\s(style|on[a-z]+)="/);
  }
});

test.each(protocols.map(({ profile }) => profile))(
  "the links in llms-full.txt of %s lead to pages, as seen from its folder",
  (profile) => {
    const links = [...page(`${profile}/llms-full.txt`).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^[a-z]+:/.test(link));
    expect(links.length).toBeGreaterThan(500);
    const dead = links.filter((link) => {
      const path = new URL(link, `file:///${profile}/`).pathname.slice(1);
      return !files.has(decodeURIComponent(path));
    });
    expect([...new Set(dead)]).toEqual([]);
  },
);

test.each(protocols.map(({ profile }) => profile))(
  "llms-small.txt of %s has every guide and method, and fits into a context",
  (profile) => {
    const text = page(`${profile}/llms-small.txt`);
    for (const [path] of pages.filter(([one]) => one.startsWith(`${profile}/methods/`)))
      expect(text).toContain(`<!-- ${path.slice(profile.length + 1)} -->`);
    expect(text).toContain("<!-- authentication.html -->");
    expect(text).not.toMatch(/^```(python|go)$/m);
    // A token of such texts has four characters on average: 100,000 tokens.
    expect(text.length).toBeLessThan(400_000);
    expect(page(`${profile}/llms.txt`).split("\n").slice(0, 12).join()).toContain("llms-small.txt");
  },
);
