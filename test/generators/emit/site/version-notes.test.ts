import { expect, test } from "vitest";
import { versionNote } from "../../../../generators/emit/site/model/version-notes.js";
import type { Site } from "../../../../generators/emit/site/model/site.js";
import { inline } from "../../../../generators/output/markup.js";

const docs = {
  betweenVersions: [
    { from: "v1", to: "v2", before: ["old"], after: ["new", "newer"], text: "It was renamed." },
    { from: "v1", to: "v2", before: ["gone"], after: [], text: "It has gone." },
    { from: "v2", to: "v3", before: ["old"], after: ["other"], text: "Of other versions." },
  ],
};

/** A site of types, each with the method that it is the params of. */
function site(version: string, types: { readonly [name: string]: string | undefined }): Site {
  const definitions = Object.entries(types).map(([name, method]) => [
    name,
    { messages: method === undefined ? [] : [{ method }] },
  ]);
  return { protocol: { version }, docs, definitions: new Map(definitions as never) } as never;
}

const v1 = site("v1", { OldRequest: "old", Shared: "old", Gone: "gone", Plain: undefined });
const v2 = site("v2", { NewRequest: "new", Shared: "new" });

test.each<[name: string, own: Site, other: Site, text?: string, to?: string]>([
  ["old", v1, v2, "It was renamed.", "new"],
  ["new", v2, v1, "It was renamed.", "old"],
  ["newer", v2, v1, "It was renamed.", "old"],
  ["gone", v1, v2, "It has gone."],
  ["OldRequest", v1, v2, "It was renamed.", "new"],
  ["NewRequest", v2, v1, "It was renamed.", "old"],
  ["Gone", v1, v2, "It has gone."],
  ["Shared", v1, v2],
  ["Plain", v1, v2],
  ["unknown", v1, v2],
  ["old", v1, v1],
  ["new", v1, v2],
])("the note about %s", (name, own, other, text, to) => {
  expect(versionNote(name, own, other)).toEqual(
    text && { text: inline(text), ...(to !== undefined && { to }) },
  );
});
