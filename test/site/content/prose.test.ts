import { describe, expect, test } from "vitest";
import { decodeHtml } from "../../generators/emit/markup-nodes.js";
import { methodPage, words } from "../support/markup.js";
import { partsOf } from "../support/schema-parts.js";
import { openSite } from "../support/site.js";

const { protocols, pages, page } = await openSite();

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, { schema, methods }) => {
    test("every type, and every property, variant and value in it, has prose", () => {
      const missing: string[] = [];
      for (const [name, definition] of Object.entries(schema.$defs!)) {
        if (!definition.description) missing.push(name);
        // Envelopes are derived from the methods.
        if (definition["x-docs-ignore"]) continue;
        for (const [id, { description }] of partsOf(definition))
          if (!description) missing.push(`${name}#${id}`);
      }
      expect(missing).toEqual([]);
    });

    test("every method has prose of its own on its page", () => {
      for (const { name, summary, description } of methods) {
        expect(summary.length, name).toBeGreaterThan(10);
        expect(description.length, name).toBeGreaterThan(30);
        const shown = words(page(`${profile}/${methodPage(name)}`));
        const sentence = description
          .split(/\n\s*\n/)[0]!
          .replaceAll("`", "")
          .replaceAll(/\s+/g, " ");
        expect(shown, name).toContain(sentence);
      }
    });
  },
);

test("no page contains documentation of another language", () => {
  for (const [path, html] of pages) {
    // Text for programs is not prose.
    const prose = words(html.replace(/<pre[\s\S]*?<\/pre>/g, "").replace(/<[^>]+>/g, " $& "));
    expect(prose, path).not.toMatch(/\b\w+::\w+/);
    expect(prose, path).not.toMatch(/`|\]\(|\[\s*\w+::|\[\[/);
  }
});

test("every page has one heading, and a title and description that search engines show completely", () => {
  const titles = new Set<string>();
  for (const [path, html] of pages) {
    expect(html.match(/<h1[ >]/g), path).toHaveLength(1);
    const title = decodeHtml(/<title>(.*?)<\/title>/.exec(html)![1]!);
    const about = decodeHtml(/<meta name="description" content="([^"]*)"/.exec(html)![1]!);
    const lengths = [[...title].length <= 70, [...about].length <= 160];
    expect([...lengths, title.length > 0, about.length > 0], path).toEqual([
      true,
      true,
      true,
      true,
    ]);
    titles.add(title);
  }
  expect(titles.size).toBe(pages.length);
});
