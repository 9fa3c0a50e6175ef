import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { filesBelow, readSources } from "./sources.js";

/** Data, which is not read file by file, and the root of the tests, which has a folder for each room and each kind of run. */
const EXEMPT = /^test\/(fixtures|generators\/golden\/expected)(\/|$)/;

test.each(["generators", "templates", "test"])(
  "no folder of %s has more than 15 entries",
  (root) => {
    const folders = [...new Set([root, ...filesBelow(root).map((path) => dirname(path))])];
    const large = folders
      .filter((folder) => !EXEMPT.test(folder))
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
