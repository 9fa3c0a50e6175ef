import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { filesBelow } from "./sources.js";

test("every threat of test/README.md has a test", () => {
  const text = readFileSync(join(ROOT, "test/README.md"), "utf8");
  const threats = text.slice(text.indexOf("## Threats")).match(/^- .*$/gm) ?? [];
  const tests = new Set(filesBelow("test").map((path) => basename(path)));
  const untested = threats.filter((threat) => {
    const named = [...threat.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name]) => name!);
    return named.length === 0 || !named.every((name) => tests.has(name));
  });
  expect(threats.length).toBeGreaterThan(15);
  expect(untested).toEqual([]);
});
