import { describe, expect, test } from "vitest";
import { readTemplates } from "../../../generators/run/installation.js";
import { compile } from "../../../generators/compile.js";
import { docs } from "../../../generators/emit/site/docs.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { compose } from "../../../generators/schema/compose.js";
import { NO_DOCS, type MovedSource } from "../../../generators/schema/source/docs-source.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { notificationOf, protocolOf } from "../../generators/schema/sources.js";
import { words } from "../support/markup.js";
import {
  addressesOf,
  findLost,
  formatAddresses,
  isMovedPage,
  parseAddresses,
} from "./published.js";
import { siteInputs } from "../../support/emit-inputs.js";

const templates = readTemplates();
const TEXT: JsonSchema = { description: "A text.", type: "string" };

/** The site of a profile v9, by path; `New` takes the place of `Old` in its later releases. */
async function siteOf(
  release: "first" | "second",
  moved: readonly MovedSource[] = [],
): Promise<ReadonlyMap<string, string>> {
  const name = release === "first" ? "Old" : "New";
  const thing: JsonSchema = {
    description: "A thing.",
    type: "object",
    properties: { [release === "first" ? "size" : "length"]: TEXT },
  };
  const source = protocolOf({ [name]: TEXT, Thing: thing }, [
    notificationOf(release === "first" ? "old/call" : "new/call", "agent", "Thing"),
  ]);
  const protocol = buildProtocol(compose(source, []), {
    name: "v9",
    title: "Test",
    description: "A profile for tests.",
  });
  const files = await compile(
    [protocol],
    [docs],
    siteInputs({ templates, docs: { ...NO_DOCS, moved } }),
    { templates, version: "0.0.0" },
  );
  return new Map(files.map(({ path, text }) => [path.slice("site/".length), text]));
}

const MOVED: readonly MovedSource[] = [
  {
    page: "types/Old.html",
    to: "types/New.html",
    only: ["v9"],
    text: "The type `Old` is called `New` since release 2.",
  },
  { page: "methods/old/call.html", to: "methods/new/call.html#params", text: "Use `new/call`." },
  {
    page: "types/Thing.html",
    id: "field-size",
    to: "types/Thing.html#field-length",
    text: "The property `size` is called `length`.",
  },
  {
    page: "methods/old/call.html",
    only: ["v8"],
    text: "Of another version, which says nothing here.",
  },
];

describe("what is removed from the protocol", async () => {
  const published = addressesOf(await siteOf("first"));

  test("is known from the file of addresses, whose lines are pages of several profiles", () => {
    expect(parseAddresses(formatAddresses(published))).toEqual(published);
    const addresses = new Map([
      ["index.html", ["top"]],
      ["v1/a.html", []],
      ["v2/a.html", []],
      ["v2/b/c.html", ["d", "e"]],
    ]);
    const text = "v1,v2 a.html\nv2 b/c.html d e\n. index.html top\n";
    expect(formatAddresses(addresses)).toBe(text);
    expect(parseAddresses(text)).toEqual(addresses);
  });

  test("is reported with the entry to write while no entry names its new address", async () => {
    const lost = findLost(published, await siteOf("second"));
    expect(lost).toEqual([
      expect.stringContaining("v9/methods/old/call.html was published and is missing: add {"),
      'v9/types/Old.html was published and is missing: add { "page": "types/Old.html", "only": ["v9"], "to": …, "text": … } to "moved" in schema/docs/moved.json',
      'v9/types/Thing.html#field-size was published and is missing: add { "page": "types/Thing.html", "id": "field-size", "only": ["v9"], "to": …, "text": … } to "moved" in schema/docs/moved.json',
    ]);
  });

  test("leaves a page that explains the removal and links to the successor", async () => {
    const files = await siteOf("second", MOVED);
    expect(findLost(published, files)).toEqual([]);
    const html = files.get("v9/types/Old.html")!;
    expect(isMovedPage(html)).toBe(true);
    expect(words(html)).toContain("The type Old is called New since release 2.");
    expect(html).toContain('<a href="New.html">Go there</a>');
    expect(files.get("v9/types/Old.html.md")).toContain("[Go there](New.html)");
    expect(files.get("v9/methods/old/call.html")).toContain(
      '<a href="../new/call.html#params">Go there</a>',
    );
    expect(files.get("v9/llms.txt")).toContain("(types/Old.html.md)");
  });

  test("keeps the id of a part on the page that it was on", async () => {
    const files = await siteOf("second", MOVED);
    const html = files.get("v9/types/Thing.html")!;
    expect(html).toContain('<h2 id="moved">No longer here</h2>');
    expect(html).toContain(
      '<li id="field-size">The property <code>size</code> is called <code>length</code>. <a href="Thing.html#field-length">Go there</a>.</li>',
    );
    const twin = files.get("v9/types/Thing.html.md")!;
    expect(twin).toContain("## No longer here\n\n- The property `size` is called `length`.");
    expect(files.get("v9/types/New.html")).not.toContain("No longer here");
  });

  test("links to the overview when it has no successor", async () => {
    const files = await siteOf("second", [{ page: "types/Old.html", text: "It is removed." }]);
    expect(files.get("v9/types/Old.html")).toContain(
      '<a href="../index.html">Go to the overview</a>',
    );
  });

  test("needs no entry while it still exists", async () => {
    const files = await siteOf("first", MOVED.slice(0, 2));
    expect(isMovedPage(files.get("v9/types/Old.html")!)).toBe(false);
    await expect(siteOf("first", MOVED)).rejects.toThrow(
      "types/Thing.html#field-size is listed as moved but still exists (v9). Remove its entry from schema/docs/moved.json.",
    );
  });
});
