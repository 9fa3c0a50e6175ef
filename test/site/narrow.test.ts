import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "./browser.js";
import { KIND_PAGES } from "./kinds.js";
import { openSite } from "./site.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());

describe("check 16: in narrow windows", () => {
  test.each([320, 360])(
    "at %i pixels no page scrolls sideways",
    async (width) => {
      const page = await open("index.html", { width });
      const wide: string[] = [];
      // Every page of the site is looked at by every-page-narrow.test.ts.
      for (const path of KIND_PAGES) {
        await page.goto(`file://${folder}/${path}`);
        if (((await page.evaluate("document.documentElement.scrollWidth")) as number) > width)
          wide.push(path);
      }
      expect(wide).toEqual([]);
      await page.context().close();
    },
    600_000,
  );

  test("on a phone the menu opens and closes without a script", async () => {
    const page = await open("v1/index.html", { width: 360, script: false });
    expect(await page.locator("nav.side").isVisible()).toBe(false);
    await page.locator("a.menu").click();
    expect(await page.locator("nav.side").isVisible()).toBe(true);
    await page.locator("nav.side .close").click();
    expect(await page.locator("nav.side").isVisible()).toBe(false);
    await page.context().close();
  });
});
