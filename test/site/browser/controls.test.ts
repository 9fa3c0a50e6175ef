import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { methodPage } from "../support/markup.js";
import { openSite } from "../support/site.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());

describe("without JavaScript", () => {
  test("text, navigation and the profile switch work, and no control without a function is shown", async () => {
    const page = await open("v1/methods/session/prompt.html", { script: false });
    expect(await page.locator("h1").textContent()).toBe("session/prompt");
    expect(await page.locator("#search").isVisible()).toBe(false);
    expect(await page.locator("button:visible").count()).toBe(0);
    await page.locator("nav.side a", { hasText: "Capabilities" }).click();
    await page.waitForURL("**/v1/capabilities.html");
    expect(await page.locator("h1").textContent()).toBe("Capabilities");
    await page.locator(".switch summary").click();
    await page.locator(".switch a", { hasText: "ACP v2 full" }).click();
    await page.waitForURL(`file://${folder}/v2-full/capabilities.html`);
    await page.locator("nav.side a", { hasText: "Overview" }).click();
    await page.locator("main a", { hasText: "session/prompt" }).first().click();
    await page.waitForURL("**/v2-full/methods/session/prompt.html");
    await page.context().close();
  });
});

test("the profile switch keeps the page where the other profile has it", async () => {
  const page = await open("v1-full/types/ToolCallUpdate.html");
  await page.locator(".switch summary").click();
  await page.locator(".switch a", { hasText: /^ACP v2(?! )/ }).click();
  await page.waitForURL(`file://${folder}/v2/types/ToolCallUpdate.html`);
  await page.goto(`file://${folder}/v1/${methodPage("session/load")}`);
  await page.locator(".switch summary").click();
  await page.locator(".switch a", { hasText: /^ACP v2(?! )/ }).click();
  await page.waitForURL(`file://${folder}/v2/index.html`);
  await page.context().close();
});

test("copy buttons copy their block", async () => {
  const page = await open("v1/methods/session/prompt.html");
  const block = page.locator("figure.code").first();
  await page.evaluate(
    "navigator.clipboard.writeText = (text) => { globalThis.copied = text; return Promise.resolve(); }",
  );
  await block.getByRole("button").first().click();
  expect(await page.evaluate("globalThis.copied")).toBe(
    await block.locator("pre").first().textContent(),
  );
  expect(await block.getByRole("button").first().textContent()).toBe("Copied");
  await page.context().close();
});

test("code has a tab for each language, by mouse and keys, and the choice is kept", async () => {
  const page = await open("v1/types/ContentBlock.html");
  const shown = async (): Promise<string[]> => page.locator(".tabs pre:visible").allTextContents();
  expect((await shown())[0]).toContain("import type { ContentBlock }");
  await page.locator(".tabs label", { hasText: "Python" }).click();
  expect((await shown())[0]).toContain("from acp_bindings.v1.types import ContentBlock");
  await page.keyboard.press("ArrowLeft");
  expect((await shown())[0]).toContain("import type { ContentBlock }");
  await page.keyboard.press("ArrowRight");
  await page.goto(`file://${folder}/v2/types/ToolCallUpdate.html`);
  expect((await shown())[0]).toContain("from acp_bindings.v2.types import ToolCallUpdate");
  await page.context().close();
});

test("printed pages have the text and no navigation", async () => {
  const page = await open("v1/methods/session/prompt.html");
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("nav.side").isVisible()).toBe(false);
  expect(await page.locator("header.site").isVisible()).toBe(false);
  expect(await page.locator("h1").isVisible()).toBe(true);
  await page.context().close();
});
