import { afterAll, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { KIND_PAGES } from "../support/kinds.js";
import { openSite } from "../support/site.js";
import { IS_DEEP } from "../../support/deep.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());

/** A quick run tries every third page. */
const paths = KIND_PAGES.filter((_, index) => IS_DEEP || index % 3 === 0);

test.each([320, 360, 600, 768, 1280])(
  "the target of every link is below the header, which has one row, at %i pixels",
  async (width) => {
    const page = await open("index.html", { width });
    for (const path of paths) {
      await page.goto(`file://${folder}/${path}`);
      const hidden = await page.evaluate(`(() => {
        const header = document.querySelector("header.site").getBoundingClientRect();
        if (header.height !== 56) return ["the header is " + header.height + " pixels high"];
        return [...document.querySelectorAll("main [id]:not(svg *, .quiet, dialog *)")]
          .filter((part) => part.offsetParent)
          .filter((part) => {
            location.hash = "";
            location.hash = part.id;
            return part.getBoundingClientRect().top < header.bottom;
          })
          .map(({ id }) => id);
      })()`);
      expect(hidden, path).toEqual([]);
    }
    await page.context().close();
  },
  120_000,
);

test.each([360, 768, 1280, 1920])(
  "nothing sticks out of the column of the text at %i pixels, and no line of a field is cut, no badge is high",
  async (width) => {
    const page = await open("index.html", { width });
    for (const path of paths) {
      await page.goto(`file://${folder}/${path}`);
      const out = await page.evaluate(`(() => {
        const main = document.querySelector("main");
        const { paddingRight, borderRightWidth } = getComputedStyle(main);
        const edge = main.getBoundingClientRect().right - parseFloat(paddingRight);
        const parts = "h1, h2, h3, p, .field, figure, .table, dl, main > ul";
        return [...main.querySelectorAll(parts)]
          .filter((part) => part.offsetParent && !part.closest(".toc, .table table, svg"))
          .filter((part) => part.getBoundingClientRect().right > edge + 1 ||
            (part.matches(".head, .field > p") && part.scrollWidth > part.clientWidth + 1))
          .concat([...main.querySelectorAll(".badge")].filter((badge) => badge.offsetHeight > 32))
          .map((part) => part.tagName + " " + part.textContent.trim().slice(0, 40));
      })()`);
      expect(out, path).toEqual([]);
    }
    await page.context().close();
  },
  120_000,
);

test.each([360, 1280])("no page shifts while it loads, at %i pixels", async (width) => {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  await context.addInitScript(`
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) globalThis.shift += value;
    }).observe({ type: "layout-shift", buffered: true });
  `);
  const page = await context.newPage();
  for (const path of paths) {
    await page.goto(`file://${folder}/${path}`);
    await page.waitForTimeout(100);
    expect(await page.evaluate("globalThis.shift"), path).toBeLessThan(0.01);
  }
  await context.close();
});

test("the current heading is marked in the contents", async () => {
  const page = await open("v1/methods/session/prompt.html#errors");
  await expect
    .poll(() => page.locator(".toc a[aria-current]").allTextContents())
    .toEqual(["Errors"]);
  await page.context().close();
});
