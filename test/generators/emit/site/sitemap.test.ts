import { expect, test } from "vitest";
import { docs } from "../../../../generators/emit/site/docs.js";
import { NO_SETTINGS } from "../../../../generators/emit/inputs.js";
import { protocolFrom, templates, EMPTY } from "./small-site.js";
import { protocolOf } from "../../schema/sources.js";
import { siteInputs } from "../../../support/emit-inputs.js";

test("the sitemap lists every page below the address of the site, and only with one", async () => {
  const protocol = protocolFrom(protocolOf({ Note: EMPTY }));
  const context = { templates, version: "0.0.0" };
  const inputs = siteInputs({ templates });
  const siteUrl = "https://example.org/acp";
  const all = await docs.emit(
    [protocol],
    { ...inputs, site: { ...NO_SETTINGS, url: siteUrl } },
    context,
  );
  const sitemap = all.find(({ path }) => path === "site/sitemap.xml")!.text;
  const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]!);
  const pages = all
    .map(({ path }) => path.slice("site/".length))
    .filter((path) => path.endsWith(".html") && path !== "404.html");
  expect(listed).toEqual(pages.sort().map((path) => `${siteUrl}/${path}`));
  expect(listed).toContain(`${siteUrl}/test/types/Note.html`);
  const textOf = (path: string): string => all.find((file) => file.path === path)!.text;
  expect(textOf("site/robots.txt")).toContain(`Sitemap: ${siteUrl}/sitemap.xml\n`);
  const note = textOf("site/test/types/Note.html");
  const address = `${siteUrl}/test/types/Note.html`;
  expect(note).toContain(`<link rel="canonical" href="${address}">`);
  expect(note).toContain(`<meta property="og:url" content="${address}">`);
  const without = await docs.emit([protocol], inputs, context);
  const paths = without.map(({ path }) => path);
  expect(paths).not.toContain("site/sitemap.xml");
  expect(paths).not.toContain("site/robots.txt");
});
