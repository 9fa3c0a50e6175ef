import { join } from "node:path";
import { expect, test } from "vitest";
import { checkBridges } from "../../../generators/model/bridge/check-bridge.js";
import { ANYWHERE } from "../../../generators/model/bridge/foreign.js";
import { loadBridge } from "../../../generators/schema/bridge/load-bridge.js";
import { ROOT } from "../../support/paths.js";
import { decodeHtml } from "../../generators/emit/markup-nodes.js";
import { openSite } from "../support/site.js";

const { protocols, page } = await openSite();
const source = loadBridge(join(ROOT, "schema"))!;

test("the page of losses has every loss that a bridge reports, by direction, with a link to its place", () => {
  const bridges = checkBridges(source, protocols).bridges;
  const [toV1 = "", toV2 = ""] = page("tool/losses.html").split('<h2 id="toV2">');
  for (const [direction, html] of [
    ["toV1", toV1],
    ["toV2", toV2],
  ] as const) {
    const text = decodeHtml(html.replace(/<\/?code>/g, "`"));
    const states = [...source.states.values()].flatMap(({ entry }) =>
      entry.direction === direction ? entry.text : [],
    );
    const losses = bridges.flatMap((bridge) => bridge[direction].losses);
    for (const sentence of [...losses.map(({ text }) => text), ...states])
      expect(text).toContain(sentence);
    const rows = html.match(/<th scope="row"><p><code><a href="\.\.\/v[12]-full\//g) ?? [];
    const placed = losses.filter(({ place }) => place !== ANYWHERE);
    // A place is a part that its type has.
    for (const [, type, place] of html.matchAll(/types\/(\w+)\.html[^"]*">(\w+\/\w+)<\/a>/g))
      expect(place).toMatch(new RegExp(`^${type!}/`));
    expect(text).not.toMatch(/LoadSessionRe(quest\/replayFrom|sponse\/availableCommands)/);
    expect(rows).toHaveLength(new Set(placed.map(({ place, text }) => `${place} ${text}`)).size);
  }
});

test("the guide to version 2 links to the bridge and its losses", () => {
  const guide = page("v2/migration.html");
  for (const path of ["bridge.html", "losses.html"])
    expect(guide).toContain(`href="../tool/${path}"`);
  expect(page("tool/bridge.html")).toContain('href="losses.html"');
});
