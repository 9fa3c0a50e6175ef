import { expect, test } from "vitest";
import { externalUrl, relativeUrl, userUrl } from "../../../generators/output/url.js";

test.each([
  ["../products", "../../../products"],
  ["r/1.0/index.html#a", "../../r/1.0/index.html#a"],
  ["/about", "/about"],
  ["https://x.example/?a=b&c", "https://x.example/?a=b&c"],
  ["mailto:docs@x.example", "mailto:docs@x.example"],
])("the link %s of the user leads to %s on a page two folders below", (link, url) => {
  expect(userUrl("v1/types/Plan.html", link).url).toBe(url);
});

const HOSTILE = [
  "javascript:alert(1)",
  "JavaScript:x",
  "data:,x",
  "x y",
  'https://x/"',
  "https://x/<",
];

test.each([...HOSTILE, "//x.example", "a:b", "\\\\x"])("%j is not a link of the user", (link) => {
  expect(() => userUrl("index.html", link)).toThrow("not a link");
});

test.each([...HOSTILE, "//x.example", "../x", "https:x", "https://x/a)"])(
  "%j is not an address outside the site",
  (link) => expect(() => externalUrl(link)).toThrow("not an external address"),
);

test.each(["types/a b.html", 'x".html', "javascript:x"])("%j is not a path of the site", (path) =>
  expect(() => relativeUrl("index.html", path)).toThrow("not an address of ours"),
);
