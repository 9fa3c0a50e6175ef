import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "./browser.js";
import { KINDS } from "./kinds.js";
import { openSite } from "./site.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("check 1: accessibility", () => {
  const audit = async (page: Page): Promise<readonly string[]> => {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as {
          axe: {
            run: (options: object) => Promise<{
              violations: readonly { id: string; nodes: readonly { html: string }[] }[];
            }>;
          };
        }
      ).axe.run({
        // It would read stylesheets by request, which files do not answer.
        preload: false,
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 120)}`);
    });
  };

  test.each(KINDS)(
    "axe has nothing to object to on %s, light on a desktop and dark on a phone",
    async (path) => {
      const light = await open(path);
      expect(await audit(light)).toEqual([]);
      await light.context().close();
      const dark = await open(path, { width: 360, scheme: "dark" });
      expect(await audit(dark)).toEqual([]);
      await dark.context().close();
    },
  );

  test("axe does object to a page that is not accessible", async () => {
    const page = await open("index.html");
    await page.evaluate(
      "document.querySelector('main').innerHTML = '<img src=\"data:,\"><button></button>'",
    );
    expect((await audit(page)).join()).toMatch(/button-name/);
    await page.context().close();
  });
});
