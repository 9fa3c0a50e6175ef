import type { Browser, Page } from "playwright-core";

/**
 * Opens a page of a site as a file. What it asks elsewhere for, lacks or
 * throws fails the test.
 *
 * @param path below the folder, with what stands behind `#`
 */
export async function openPage(
  browser: Browser,
  folder: string,
  path: string,
  width = 1280,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  page.on("request", (request) => {
    if (!request.url().startsWith(`file://${folder}/`))
      throw new Error(`${path} asks for ${request.url()}`);
  });
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(`file://${folder}/${path}`);
  return page;
}
