import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { KIND_PAGES } from "../support/kinds.js";
import { openSite } from "../support/site.js";
import { IS_DEEP } from "../../support/deep.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());

describe("in narrow windows", () => {
  test.each(IS_DEEP ? [320, 360] : [320])(
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

  test.each(IS_DEEP ? [360, 768, 1280] : [768])(
    "at %i pixels nothing sticks out of its cell",
    async (width) => {
      const page = await open("index.html", { width });
      const cut: string[] = [];
      for (const path of KIND_PAGES) {
        await page.goto(`file://${folder}/${path}`);
        const texts = (await page.evaluate(`[...document.querySelectorAll("td, th")]
        .filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth + 1)
        .map((cell) => cell.textContent.trim().slice(0, 60))`)) as readonly string[];
        cut.push(...texts.map((text) => `${path}: ${text}`));
      }
      expect(cut).toEqual([]);
      await page.context().close();
    },
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
