import { expect } from "vitest";
import { launchBrowser } from "../support/browser.js";
import { openSite } from "../support/site.js";
import { deepTest } from "../../support/deep.js";

/** The narrowest windows that count: WCAG's 320 pixels, and a phone. */
const WIDTHS = [320, 360];
/** How many pages the browser has at a time. */
const BATCH = 40;

deepTest(
  "no page of the site scrolls sideways in a narrow window",
  async () => {
    const { files } = await openSite();
    const browser = await launchBrowser();
    try {
      const paths = [...files.keys()].filter((path) => path.endsWith(".html"));
      expect(paths.length).toBeGreaterThan(1500);
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const tooWide = `<!doctype html><div style="width: 400px">x</div>`;
      expect(await page.evaluate(`(${measure})(${JSON.stringify([[tooWide], WIDTHS])})`)).toEqual([
        WIDTHS.map(() => 400 + 8),
      ]);
      const wide: string[] = [];
      for (let start = 0; start < paths.length; start += BATCH) {
        const batch = paths.slice(start, start + BATCH);
        const documents = batch.map((path) => alone(path, files));
        const needed = (await page.evaluate(
          `(${measure})(${JSON.stringify([documents, WIDTHS])})`,
        )) as readonly (readonly number[])[];
        for (const [index, path] of batch.entries())
          for (const [at, width] of WIDTHS.entries())
            if (needed[index]![at]! !== width)
              wide.push(`${path}: ${needed[index]![at]} of ${width}`);
      }
      expect(wide).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  1_200_000,
);

/** A page with its stylesheet and script in it: frames are far quicker than visits. */
function alone(path: string, files: ReadonlyMap<string, string>): string {
  const [first] = path.split("/");
  const folder = files.has(`${first}/assets/style.css`) ? first! : "v1";
  const style = files.get(`${folder}/assets/style.css`)!;
  const script = files.get(`${folder}/assets/site.js`)!;
  return (
    files
      .get(path)!
      // The policy of the page forbids styles and scripts that stand in it.
      .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
      .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
      .replace(/<script src[^>]*><\/script>\s*/g, "")
      .replace(
        "</body>",
        () =>
          `<script data-search="assets/search.js" data-validator="validator.html">${script}</script></body>`,
      )
  );
}

/** Runs in the page: how wide each document is in frames of each width. */
const measure = `async ([documents, widths]) => {
  const all = documents.map(async (text) => {
    const frame = document.createElement("iframe");
    frame.srcdoc = text;
    frame.style.cssText = "height: 800px; border: 0; width: " + widths[0] + "px";
    await new Promise((resolve) => { frame.onload = resolve; document.body.append(frame); });
    const needed = widths.map((width) => {
      frame.style.width = width + "px";
      return frame.contentDocument.documentElement.scrollWidth;
    });
    frame.remove();
    return needed;
  });
  return Promise.all(all);
}`;
