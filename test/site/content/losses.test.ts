import { join } from "node:path";
import { expect, test } from "vitest";
import { checkBridges } from "../../../generators/model/bridge/check-bridge.js";
import { loadBridge } from "../../../generators/schema/bridge/load-bridge.js";
import { ROOT } from "../../support/paths.js";
import { attributes, words } from "../support/markup.js";
import { openSite } from "../support/site.js";

const { protocols, page } = await openSite();
const source = loadBridge(join(ROOT, "schema"))!;
const { toV1, toV2 } = checkBridges(source, protocols).bridges.at(-1)!;
const html = page("tool/losses.html");
const rows = [...html.matchAll(/<tr[\s>][^]*?<\/tr>/g)].map(([row]) => words(row));

test("every declared loss is a row of the page, and no row is anything else", () => {
  const declared = [...toV1.losses, ...toV2.losses];
  const missing = declared.filter(
    ({ place, kind, text }) =>
      !rows.some((row) =>
        [place, kind, text.replaceAll("`", "")].every((part) => row.includes(part)),
      ),
  );
  expect(missing).toEqual([]);
  const states = [...source.states.keys()];
  expect(states.filter((id) => !rows.some((row) => row.includes(id)))).toEqual([]);
  const heads = rows.filter((row) => row.includes("Meaning"));
  expect(rows.length - heads.length).toBe(declared.length + states.length);
});

test("a place leads to its type or method in the version of the message", () => {
  const links = attributes(html, "href");
  for (const link of ["../v2/types/ToolCallStatus.html", "../v1/methods/fs/read_text_file.html"])
    expect(links).toContain(link);
});

test("the migration guide and the manual lead to the page", () => {
  expect(attributes(page("v2/migration.html"), "href")).toContain("../tool/losses.html");
  expect(attributes(page("tool/bridge.html"), "href")).toContain("losses.html");
});
