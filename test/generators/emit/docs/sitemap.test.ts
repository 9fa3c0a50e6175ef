import { expect, test } from "vitest";
import { docs } from "../../../../generators/emit/docs/docs.js";
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
  const without = await docs.emit([protocol], inputs, context);
  expect(without.map(({ path }) => path)).not.toContain("site/sitemap.xml");
});
