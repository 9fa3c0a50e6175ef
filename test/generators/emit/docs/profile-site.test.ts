import { describe, expect, test } from "vitest";
import { posix } from "node:path";
import { walk } from "../../../../generators/schema/json-schema/walk.js";
import { decodeHtml } from "../markup-nodes.js";
import { attributes, emitSite, loadProfile } from "./small-site.js";

describe("the site of a profile with features", async () => {
  const profile = "v1-unstable";
  const protocol = loadProfile(profile);
  const site = await emitSite(protocol);
  const pages = [...site].filter(([path]) => path.endsWith(".html"));

  /** The addresses in a page, without those of specifications that guides link to. */
  const hrefs = (html: string): readonly string[] =>
    attributes(html.replace(/<a href="https:\/\/[^"]*"/g, ""), "href");

  test("every link is relative and ends in .html, except for the stylesheet, the twin and downloads", () => {
    const others = pages.flatMap(([path, html]) =>
      hrefs(html)
        .filter((link) => !/^[\w./$-]*(\.html)?(#[\w.$-]+)?$/.test(link))
        .map((link) => `${path}: ${link}`),
    );
    expect(others.filter((link) => !/(json|txt|\.md)$/.test(link))).toEqual([]);
    for (const [path, html] of pages) {
      const odd = hrefs(html).filter((link) => !/(\.html|#[\w.$-]+)$/.test(link));
      const files = odd.map((link) => posix.join(posix.dirname(path), link));
      expect(files.slice(0, 3)).toEqual(["assets/favicon.svg", "assets/style.css", `${path}.md`]);
      expect(files.at(-1)).toBe(`${path}.md`);
      for (const file of files.slice(3, -1)) expect(file).toMatch(/^\w[\w-]*\.(json|txt)$/);
    }
  });

  test("every method and every type has a page and a Markdown twin", () => {
    const wanted = new Set([
      "index.html",
      ...protocol.methods.map(({ name }) => `methods/${name.replace("$/", "-/")}.html`),
      ...protocol.definitions.map(({ name }) => `types/${name}.html`),
    ]);
    expect([...wanted].filter((path) => !site.has(path))).toEqual([]);
    expect(pages.map(([path]) => path).filter((path) => !site.has(`${path}.md`))).toEqual([]);
    const others = pages.map(([path]) => path).filter((path) => !wanted.has(path));
    expect(others.length).toBeGreaterThan(10);
    // Removed types keep a page that leads to what replaces them.
    const kept = /^((rules|flows)\/)?[a-z-]+\.html$|^types\/PlanFile\.html$/;
    for (const path of others) expect(path).toMatch(kept);
  });

  test("no page has an inline script or style, or loads anything from another host", () => {
    for (const [path, html] of pages) {
      expect(html, path).not.toMatch(/<(style|img|iframe|object|base|form)\b/);
      expect(html, path).not.toMatch(/\s(style|on\w+)=/);
      const scripts = html.match(/<script\b.*/g)!;
      expect(scripts, path).toHaveLength(1);
      expect(scripts[0]).toMatch(
        /^<script src="(\.\.\/)*assets\/site\.js" data-search="(\.\.\/)+search\.js" data-profile="[\w-]+"><\/script>$/,
      );
      expect(hrefs(html).join(" "), path).not.toContain(":");
    }
  });

  test("every property and every value of the schema is on the page of its definition", () => {
    for (const [name, schema] of Object.entries(protocol.schema.$defs!)) {
      const page = site.get(`types/${name}.html`)!;
      const shown = decodeHtml(page.slice(0, page.indexOf('<h2 id="used-by">')));
      walk(schema, (part, path) => {
        if (path.includes("not")) return;
        for (const property of Object.keys(part.properties ?? {})) {
          expect(shown, `${name}.${property}`).toMatch(new RegExp(`<code>${property}\\b`));
        }
        if (part.const !== undefined) expect(shown, name).toContain(JSON.stringify(part.const));
      });
    }
  });

  test("every example is on its method's page as complete JSON-RPC messages", () => {
    for (const { name, kind, examples } of protocol.methods) {
      const page = decodeHtml(site.get(`methods/${name.replace("$/", "-/")}.html`)!);
      examples.forEach(({ params, result }, index) => {
        const id = kind === "request" ? { id: index + 1 } : {};
        const messages = [
          { jsonrpc: "2.0", ...id, method: name, params },
          ...(result === undefined ? [] : [{ jsonrpc: "2.0", ...id, result }]),
        ];
        for (const message of messages) expect(page).toContain(JSON.stringify(message, null, 2));
      });
    }
  });

  test("files have no blanks at line ends and no two empty lines in a row", () => {
    for (const [path, text] of site) {
      expect(text, path).not.toMatch(/[ \t]\n|\n\n\n|\n\n$/);
      expect(text.endsWith("\n"), path).toBe(true);
    }
  });

  test("the same protocol gives the same bytes", async () => {
    expect([...(await emitSite(loadProfile(profile)))]).toEqual([...site]);
  });
});
