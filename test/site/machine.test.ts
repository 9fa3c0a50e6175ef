import { expect, test } from "vitest";
import { decodeHtml } from "../emit/markup-nodes.js";
import { openSite } from "./site.js";

const { protocols, pages, page } = await openSite();

test.each(protocols.map(({ profile }) => profile))(
  "check 24: llms.txt of %s lists every page, and every page has a twin with its headings",
  (profile) => {
    const own = pages.filter(([path]) => path.startsWith(`${profile}/`));
    const index = page(`${profile}/llms.txt`);
    for (const [path, html] of own) {
      expect(index, path).toContain(`(${path.slice(profile.length + 1)}.md)`);
      const headings = [...html.matchAll(/<h\d[^>]*>(.*?)<\/h\d>/g)].map((match) =>
        decodeHtml(match[1]!.replace(/<[^>]+>/g, "")),
      );
      const twin = [...page(`${path}.md`).matchAll(/^#+ (.*)$/gm)].map((match) =>
        match[1]!.replace(/[\\`]/g, ""),
      );
      expect(twin, path).toEqual(headings);
    }
  },
);
