import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { ROOT } from "../../support/paths.js";

/** A browser from the npm package of that name: nothing of the system's is needed. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await unpack();
  const folder = mkdtempSync(join(tmpdir(), "acp-browser-"));
  const { chromium } = await import("playwright-core");
  const browser = await withTemporaryFolder(folder, () =>
    chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--headless=shell", "--disable-gpu"],
    }),
  );
  browser.on("disconnected", () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

/** Runs a function with another folder for temporary files. */
async function withTemporaryFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    return await run();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

/** Unpacks the browser once for all test files and runs; the package takes seconds for it. */
async function unpack(): Promise<string> {
  const cache = join(ROOT, "node_modules/.cache/acp-browser");
  const manifest = join(ROOT, "node_modules/@sparticuz/chromium/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
  const folder = join(cache, version);
  const executable = join(folder, "chromium");
  if (existsSync(executable)) return executable;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "new-"));
  // The package unpacks into the folder for temporary files.
  await withTemporaryFolder(fresh, async () => {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another test file was faster.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(executable)) throw error;
  }
  return executable;
}

/** Opens the window of the search, which the first use loads, and types a text. */
export async function searchFor(page: Page, text: string): Promise<void> {
  if (!(await page.locator("#search-window").isVisible())) await page.locator("#search").click();
  await page.locator("#search-window input[type=search]").fill(text);
}

export interface OpenOptions {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  readonly script?: boolean;
}

/** Opens a page of a site by its path. */
export type OpenPage = (path: string, options?: OpenOptions) => Promise<Page>;

/**
 * How the pages of a site are opened.
 *
 * @param address where the site is, without a slash at its end; whatever a page
 *   requests from another host, or does not get, fails the test
 */
export function pageOpener(browser: Browser, address: string): OpenPage {
  return async (path, { width = 1280, scheme = "light", script = true } = {}) => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: scheme,
      javaScriptEnabled: script,
    });
    const page = await context.newPage();
    // The page for wrong addresses asks for its script in every folder above it.
    const isTried = (url: string): boolean => url.endsWith("/acp-not-found.js");
    page.on("request", (request) => {
      if (!request.url().startsWith(`${address}/`) && !isTried(request.url()))
        throw new Error(`${path} asks for ${request.url()}`);
    });
    page.on("requestfailed", (request) => {
      // A page that is left, or closed, gives up what it was loading.
      if (request.failure()?.errorText === "net::ERR_ABORTED" || isTried(request.url())) return;
      throw new Error(`${path} lacks ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400 && !isTried(response.url()))
        throw new Error(`${path} lacks ${response.url()}`);
    });
    page.on("pageerror", (error) => {
      throw error;
    });
    await page.goto(`${address}/${path}`);
    return page;
  };
}
