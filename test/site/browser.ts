import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";

/** A browser from the npm package of that name: nothing of the system's is needed. */
export async function launchBrowser(): Promise<Browser> {
  // It unpacks itself into the folder for temporary files, where other versions may have been.
  const folder = mkdtempSync(join(tmpdir(), "acp-browser-"));
  process.env["TMPDIR"] = folder;
  const { default: packed } = await import("@sparticuz/chromium");
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath: await packed.executablePath(),
    args: ["--no-sandbox", "--headless=shell", "--disable-gpu"],
  });
  browser.on("disconnected", () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

/** Writes a site to a folder for temporary files. */
export function writeSite(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-site-"));
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
