import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../paths.js";
import { filesBelow, readSources } from "./sources.js";

/** Data, which nobody looks through file by file. */
const DATA = /^test\/(fixtures|golden\/expected)(\/|$)/;

test.each(["generators", "templates", "test"])(
  "no folder of %s has more than 15 entries",
  (root) => {
    const folders = [...new Set([root, ...filesBelow(root).map((path) => dirname(path))])];
    const large = folders
      .filter((folder) => !DATA.test(folder))
      .map((folder) => [folder, readdirSync(join(ROOT, folder)).length] as const)
      .filter(([, entries]) => entries > 15);
    expect(large).toEqual([]);
  },
);

test("no file of the generators is longer than 250 lines", () => {
  const long = readSources("generators")
    .filter(({ text }) => text.split("\n").length > 251)
    .map(({ path }) => path);
  expect(long).toEqual([]);
});
