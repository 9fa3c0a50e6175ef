import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { KIND_PAGES } from "../support/kinds.js";
import { openSite } from "../support/site.js";
import { serveFolder } from "../support/static-server.js";
import { IS_DEEP } from "../../support/deep.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const server = await serveFolder(folder, "/a/b/c");
afterAll(async () => {
  await browser.close();
  server.close();
});

/** Actions that the browser refuses a page, such as running a script that the policy forbids. */
function watch(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}

/** A quick run opens a third of the pages. */
const isTried = (_: unknown, index: number): boolean => IS_DEEP || index % 3 === 0;

const addresses = [
  ["opened as files", `file://${folder}`],
  ["served below /a/b/c/", server.address],
] as const;

describe.each(addresses.slice(0, IS_DEEP ? undefined : 1))(
  "the same build works %s",
  (_, address) => {
    const open = pageOpener(browser, address);

    test("every kind of page loads all of its files", async () => {
      const page = await open("index.html");
      const errors = watch(page);
      // The page for missing addresses asks for its script in every folder above it.
      for (const path of KIND_PAGES.filter((one) => one !== "404.html").filter(isTried)) {
        await page.goto(`${address}/${path}`);
        const styles = (await page.evaluate(
          "[...document.styleSheets].map((sheet) => sheet.href)",
        )) as readonly string[];
        expect(styles, path).toHaveLength(1);
        // The stylesheet is there, not only named.
        expect(await page.evaluate("getComputedStyle(document.body).margin"), path).toBe("0px");
      }
      expect(errors).toEqual([]);
      expect(server.failed).toEqual([]);
      await page.context().close();
    });

    test("links and the profile switch work", async () => {
      const page = await open("index.html");
      await page.locator("main a", { hasText: "ACP v1" }).first().click();
      await page.waitForURL(`${address}/v1/index.html`);
      await page.locator("main a", { hasText: /^session\/prompt$/ }).click();
      await page.waitForURL(`${address}/v1/methods/session/prompt.html`);
      await page.locator(".switch summary").click();
      await page.locator(".switch a", { hasText: "ACP v2 full" }).click();
      await page.waitForURL(`${address}/v2-full/methods/session/prompt.html`);
      await page.locator("header a.home").click();
      await page.waitForURL(`${address}/index.html`);
      await page.context().close();
    });
  },
);

test("a policy that only allows the page's own host is followed, and a violation is detected", async () => {
  const page = await pageOpener(browser, server.address)("v1/index.html");
  const errors = watch(page);
  await page.evaluate(
    "document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = 1' }))",
  );
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();
  expect(errors.join()).toContain("Content Security Policy");
  await page.context().close();
});

test("a wrong address that names another host loads nothing from there", async () => {
  const asked: string[] = [];
  const other = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(200, { "content-type": "text/javascript" });
    response.end("document.title = 'taken'; globalThis.acpSearch = () => []");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const root = await serveFolder(folder, "");
  const page = await browser.newPage();
  for (const path of [
    `//${host}/x/y.html`,
    `///${host}/x/y.html`,
    `/\\${host}/x/y.html`,
    `/%2F${host}/x/y.html`,
    `/%5C${host}/x/y.html`,
    `/v1//${host}/y.html`,
    `/http://${host}/y.html`,
    `/x/..//${host}/y.html`,
    "/%E0%A4%A/y.html",
  ]) {
    await page.goto(`${root.address}${path}`);
    await page.waitForFunction("globalThis.acpPage !== undefined");
    expect(await page.title(), path).toBe("Page not found");
    await page.locator("main a", { hasText: "ACP v1 unstable" }).click();
    await page.waitForURL(/\/v1-unstable\/index\.html$/);
    expect(new URL(page.url()).origin, path).toBe(root.address);
  }
  expect(asked).toEqual([]);
  await page.close();
  root.close();
  other.close();
});

test.each([
  ["v1/methods/session/promt.html", "session/prompt"],
  ["v2/types/deep/er/SesionId.html", "SessionId"],
  ["no-such-page.html", undefined],
])("a wrong address, %s, shows a complete page with working links", async (path, wanted) => {
  const page = await browser.newPage();
  await page.goto(`${server.address}/${path}`);
  await page.waitForFunction("globalThis.acpPage !== undefined");
  expect(await page.evaluate("getComputedStyle(document.body).margin")).toBe("0px");
  if (wanted !== undefined) {
    const suggestions = page.locator("#suggestions a");
    await suggestions.first().waitFor();
    expect(await suggestions.allTextContents()).toContain(wanted);
  }
  await page.locator("main a", { hasText: "ACP v1 unstable" }).click();
  await page.waitForURL(`${server.address}/v1-unstable/index.html`);
  await page.close();
});
