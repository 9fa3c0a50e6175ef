import { describe, expect, test } from "vitest";
import { bytes } from "./markup.js";
import { openSite } from "./site.js";

const { protocols, pages, page } = await openSite();

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile) => {
    const own = pages.filter(([path]) => path.startsWith(`${profile}/`));

    test("check 17: pages are light: 40 KB with everything for a method or type, 60 KB for any other", () => {
      const base = `${profile}/assets/`;
      const script = bytes(page(`${base}site.js`));
      const shared = script + bytes(page(`${base}style.css`));
      expect(script).toBeLessThanOrEqual(5 * 1024);
      for (const [path, html] of own) {
        const limit = /\/(methods|types)\//.test(path) ? 40 : 60;
        if (bytes(html) + shared > limit * 1024) expect.fail(`${path} is too heavy`);
      }
      expect(bytes(page(`${base}search.js`))).toBeLessThanOrEqual(30 * 1024);
      expect(bytes(page(`${base}checker.js`))).toBeLessThanOrEqual(60 * 1024);
    });
  },
);
