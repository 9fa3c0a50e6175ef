import { afterAll, describe, expect, test } from "vitest";
import { audit } from "../support/audit.js";
import { launchBrowser, pageOpener, searchFor } from "../support/browser.js";
import { KIND_PAGES } from "../support/kinds.js";
import { openSite } from "../support/site.js";
import { IS_DEEP } from "../../support/deep.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());

describe("every kind of page is accessible, in two profiles, light and dark, wide and narrow", () => {
  const light = { width: 1280, scheme: "light" } as const;
  const dark = { width: 360, scheme: "dark" } as const;
  const views = [light, dark, { ...light, scheme: "dark" }, { ...dark, scheme: "light" }] as const;
  // The quick run shows each profile in one of the two that differ most; both are everywhere when it may take long.
  const cases = KIND_PAGES.flatMap((path) => {
    const quick = path.startsWith("v1") ? [light] : path.startsWith("v2") ? [dark] : [light, dark];
    return (IS_DEEP ? views : quick).map(({ width, scheme }) => [path, width, scheme] as const);
  });

  // The quick run audits every other page.
  test.each(cases.filter((_, index) => IS_DEEP || index % 6 === 0))(
    "axe has no findings on %s, %i pixels wide and %s",
    async (path, width, scheme) => {
      const page = await open(path, { width, scheme });
      expect(await audit(page)).toEqual([]);
      await page.context().close();
    },
  );

  test("axe has no findings while the results of a search are open", async () => {
    for (const path of ["index.html", "v1/methods/session/prompt.html"]) {
      const page = await open(path, light);
      await searchFor(page, "session");
      await page.locator("#found [data-href]").first().waitFor();
      expect(await audit(page)).toEqual([]);
      await page.context().close();
    }
  });

  test("axe has findings on a page that is not accessible", async () => {
    const page = await open("index.html");
    await page.evaluate(
      "document.querySelector('main').innerHTML = '<img src=\"data:,\"><button></button>'",
    );
    expect((await audit(page)).join()).toMatch(/button-name/);
    await page.context().close();
  });
});
