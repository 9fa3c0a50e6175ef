import { describe, expect, test } from "vitest";
import { decodeHtml } from "../emit/markup-nodes.js";
import { openSite } from "./site.js";

const { protocols, pages } = await openSite();

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, protocol) => {
    const own = pages.filter(([path]) => path.startsWith(`${profile}/`));

    test("check 25: everything has prose, nothing of another language's documentation is left in it", () => {
      for (const { name, description, shape } of protocol.definitions) {
        expect(description.length, name).toBeGreaterThan(0);
        if (shape.kind === "object")
          for (const field of shape.fields)
            expect(field.description.length, `${name}.${field.name}`).toBeGreaterThan(0);
      }
      for (const [path, html] of own) {
        expect(html, path).not.toMatch(/\b[A-Z]\w+::[A-Z]\w+/);
        expect(html.match(/<h1>/g), path).toHaveLength(1);
        const title = decodeHtml(/<title>(.*?)<\/title>/.exec(html)![1]!);
        const about = decodeHtml(/<meta name="description" content="([^"]*)"/.exec(html)![1]!);
        expect([[...title].length <= 70, [...about].length <= 160, about.length > 0], path).toEqual(
          [true, true, true],
        );
      }
    });
  },
);
