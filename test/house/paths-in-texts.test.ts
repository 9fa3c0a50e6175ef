import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { filesBelow } from "./sources.js";

/** Texts for contributors, and the folders that the paths in them begin in. */
const TEXTS: { readonly [file: string]: readonly string[] } = {
  "README.md": [""],
  "CONTRIBUTING.md": ["", "generators/emit/"],
  "generators/README.md": ["", "generators/"],
  ...Object.fromEntries(
    filesBelow("generators/decisions").map((path) => [
      path,
      ["", "generators/", "generators/emit/"],
    ]),
  ),
  "schema/README.md": ["", "schema/"],
  "test/README.md": ["", "test/"],
};

/** Files that a reader writes, that a run makes, or that are not part of the repository. */
const OTHERS =
  /^(dist|generated|my-project|out\/site|node_modules|fixtures)\/|^\.\.?\/|session_pin|^meta\.json$/;

test.each(Object.entries(TEXTS))("every file that %s names exists", (text, folders) => {
  const names = new Set(
    ["generators", "templates", "test", "schema", "bin"]
      .flatMap((root) => [...filesBelow(root)])
      .map((path) => path.slice(path.lastIndexOf("/") + 1)),
  );
  const paths = [
    ...readFileSync(join(ROOT, text), "utf8").matchAll(
      /`([\w.@/-]+\.(?:ts|js|mjs|py|json|txt|hbs|md))`/g,
    ),
  ]
    .map(([, path]) => path!)
    .filter((path) => !OTHERS.test(path));
  const missing = paths.filter((path) =>
    path.includes("/")
      ? !folders.some((folder) => existsSync(join(ROOT, folder, path)))
      : !names.has(path) && !existsSync(join(ROOT, path)),
  );
  expect(missing).toEqual([]);
});
