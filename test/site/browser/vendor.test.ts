import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { docs } from "../../../generators/emit/site/docs.js";
import { loadSite } from "../../../generators/run/bundles/load-site.js";
import { protocolFrom, templates, EMPTY } from "../../generators/emit/site/small-site.js";
import { protocolOf } from "../../generators/schema/sources.js";
import { siteInputs } from "../../support/emit-inputs.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { writeFiles } from "../support/site.js";
import { serveFolder } from "../support/static-server.js";

const folder = temporaryFolder();
const browser = await launchBrowser();
const server = await serveFolder(folder, "/docs");
afterAll(async () => {
  await browser.close();
  server.close();
});

/** A PNG image of black pixels. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const part = Buffer.alloc(body.length + 8);
    part.writeUInt32BE(data.length, 0);
    body.copy(part, 4);
    part.writeUInt32BE(crc32(body), part.length - 4);
    return part;
  };
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The color of the last pixel of the logo. */
const LAST_PIXEL = `(() => {
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.drawImage(document.querySelector("header img"), 0, 0);
  return [...canvas.getImageData(5, 2, 1, 1).data];
})()`;

test("a PNG logo and colors for both modes are shown under the policy of the pages", async () => {
  writeFileSync(join(folder, "logo.png"), png(6, 3));
  const site = loadSite({
    site: {
      title: "Acme",
      logo: join(folder, "logo.png"),
      colors: {
        link: { light: "#7a1fa2", dark: "plum" },
        page: { light: "#fffdf8", dark: "#101010" },
      },
    },
  });
  const protocol = protocolFrom(protocolOf({ Note: EMPTY }));
  const inputs = { ...siteInputs({ templates }), site };
  const files = await docs.emit([protocol], inputs, { templates, version: "0.0.0" });
  writeFiles(folder, new Map(files.map(({ path, text }) => [path.slice("site/".length), text])));
  const open = pageOpener(browser, server.address);
  for (const path of ["index.html", "test/types/Note.html"])
    for (const [scheme, colors] of [
      ["light", ["rgb(122, 31, 162)", "rgb(255, 253, 248)"]],
      ["dark", ["rgb(221, 160, 221)", "rgb(16, 16, 16)"]],
    ] as const) {
      const page = await open(path, { scheme });
      const logo = page.locator("header img");
      expect(await page.evaluate(LAST_PIXEL)).toEqual([0, 0, 0, 255]);
      expect(await logo.boundingBox()).toMatchObject({ width: 48, height: 24 });
      const shown = await page.evaluate(
        `[getComputedStyle(document.querySelector("a.skip")).color,
          getComputedStyle(document.body).backgroundColor]`,
      );
      expect(shown, `${path} ${scheme}`).toEqual(colors);
      await page.context().close();
    }
});

test("a browser knows each color that a configuration may name", async () => {
  const text = readFileSync(join(ROOT, "schema/dialect/config.schema.json"), "utf8");
  const { $defs } = JSON.parse(text) as {
    readonly $defs: { readonly color: { readonly pattern: string } };
  };
  const names = /(aliceblue.*)\)\$/.exec($defs.color.pattern)![1]!.split("|");
  expect(names).toHaveLength(148);
  const page = await browser.newPage();
  const unknown = await page.evaluate(
    `${JSON.stringify(names)}.filter((name) => !CSS.supports("color", name))`,
  );
  expect(unknown).toEqual([]);
});
