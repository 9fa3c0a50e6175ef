import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readGuides } from "../../generators/emit/site/articles/guides/read-guides.js";
import { setUp } from "../../generators/output/set-up.js";
import { selectParts } from "../../generators/output/sections.js";
import { PUBLISHED, readTemplates } from "../../generators/run/installation.js";
import { ROOT } from "../support/paths.js";
import { filesBelow } from "./sources.js";

const PACKAGES = /^(typescript\/package|python|go)\/README\.md$/;
const FACTS = ["v1", "v2", "versions", "profiles", "complete", "bridge", "methods"];

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The texts that show commands to users, by their paths, before or after the first release. */
function texts(published: boolean): ReadonlyMap<string, string> {
  const templates = readTemplates(published);
  const without = published ? "generated" : "published";
  const guides = readGuides(templates).map(({ file, chunks }): [string, string] => [
    file,
    chunks
      .filter(({ needs }) => needs !== without)
      .map((chunk) =>
        chunk.kind === "fence" ? chunk.text : "lines" in chunk ? chunk.lines.join("\n") : "",
      )
      .join("\n\n"),
  ]);
  const others = [...templates].filter(([path]) => /^site\/(guides\/tool|parts)\//.test(path));
  const packages = [...templates].filter(([path]) => PACKAGES.test(path));
  const facts = new Set([...FACTS, ...(published ? ["published"] : [])]);
  return new Map([
    ...guides,
    ...others,
    ...packages.map(([path, text]): [string, string] => [path, selectParts(text, facts)]),
    ...["README.md", "CONTRIBUTING.md", ...filesBelow("templates/starters")].map(
      (path): [string, string] => [path, read(path)],
    ),
  ]);
}

/** Commands, and settings of editors, that take a name of ours from a registry. */
const FETCHES =
  /(npm (install|i|pack|exec)|npx|pnpm \w+|yarn \w+|uv add|pipx? install|uvx)( -[\w-]+)* (acp-bindings|acp-codegen@)|npm (install|i)( -[\w-]+)* acp-codegen|--package=acp|"npx"[^\]]*"acp-(codegen|bindings)|go get github\.com\/acp-codegen/g;

/** What stands before `npx acp-codegen` where it is installed. */
const INSTALLED = [
  "npm install --save-dev ../acp-codegen",
  "](README.md#install)",
  "In the clone `npx",
];

describe.runIf(!PUBLISHED)("before the first release", () => {
  test.each([...texts(false)])("%s takes no name of ours from a registry", (_, text) => {
    expect([...text.matchAll(FETCHES)].map(([command]) => command)).toEqual([]);
    const first = text.indexOf("npx acp-codegen");
    const before =
      first < 0 ? INSTALLED : INSTALLED.filter((one) => text.slice(0, first + 3).includes(one));
    expect(before).not.toEqual([]);
  });

  test("sources name npx only where they print the set-up before it", () => {
    const named = filesBelow("generators").filter(
      (path) => path.endsWith(".ts") && read(path).includes("npx acp-codegen"),
    );
    expect(named).toContain("generators/cli/command-line.ts");
    expect(named.filter((path) => !/setUp|toolCommand/.test(read(path)))).toEqual([]);
  });
});

test("the hand-written texts set up the command in the way that works", () => {
  for (const path of ["README.md", "templates/site/guides/tool/README.md"])
    expect(read(path), path).toContain(setUp(PUBLISHED));
});

test("after the first release, the texts install from the registries", () => {
  const after = texts(true);
  const install = "npm install --save-dev acp-codegen\n";
  const tool = ["site/guides/getting-started.md", "site/guides/tool/README.md"];
  for (const path of [...tool, "python/README.md", "go/README.md"])
    expect(after.get(path), path).toContain(install);
  expect(after.get(tool[0]!)).toContain("npm install acp-bindings");
  expect(after.get("python/README.md")).toContain("pip install acp-bindings");
  expect(after.get("go/README.md")).toContain("go get github.com/acp-codegen/");
  for (const [path, text] of after)
    if (!/^(README|CONTRIBUTING)\.md$/.test(path)) expect(text, path).not.toContain("git clone");
});
