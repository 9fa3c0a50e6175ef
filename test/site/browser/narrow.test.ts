import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { KIND_PAGES } from "../support/kinds.js";
import { openSite } from "../support/site.js";
import { IS_DEEP } from "../../support/deep.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());

/** The widths at which no page may scroll sideways, and at which nothing may stick out of its cell. */
const PAGE_WIDTHS = [320, 360];
const CELL_WIDTHS = IS_DEEP ? [360, 768, 1280] : [768];

describe("in narrow windows", () => {
  test("no page scrolls sideways, and nothing overflows its cell", async () => {
    const page = await open("index.html");
    const wide: string[] = [];
    const cut: string[] = [];
    for (const path of KIND_PAGES) {
      await page.goto(`file://${folder}/${path}`);
      for (const width of PAGE_WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        if (((await page.evaluate("document.documentElement.scrollWidth")) as number) > width)
          wide.push(`${path} at ${width} pixels`);
      }
      for (const width of CELL_WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const texts = (await page.evaluate(`[...document.querySelectorAll("td, th")]
          .filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth + 1)
          .map((cell) => cell.textContent.trim().slice(0, 60))`)) as readonly string[];
        cut.push(...texts.map((text) => `${path} at ${width} pixels: ${text}`));
      }
    }
    expect(wide).toEqual([]);
    expect(cut).toEqual([]);
    await page.context().close();
  }, 600_000);

  test("on a phone the menu opens and closes without a script", async () => {
    const page = await open("v1/index.html", { width: 360, script: false });
    expect(await page.locator("nav.side").isVisible()).toBe(false);
    await page.locator("button.menu").click();
    expect(await page.locator("nav.side").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.locator("nav.side").isVisible()).toBe(false);
    await page.context().close();
  });
});
