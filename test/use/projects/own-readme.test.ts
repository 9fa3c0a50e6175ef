import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import type { GenerateOptions } from "../../../generators/run/options.js";
import { compileProfiles } from "../../../generators/run/generate/compile-profiles.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { findTypeErrors } from "./find-type-errors.js";

// Inside the repository, so that the package is found by its name.
const folder = temporaryFolder(join(ROOT, "node_modules/.own-readme-"));
/** Packages of users, and the profile of ours that has the types of theirs. */
const packages: readonly [string, string, GenerateOptions][] = [
  ["one profile of version 1", "v1", { protocol: "v1", with: ["session_fork"], name: "me" }],
  ["version 2 only", "v2", { profiles: ["v2"] }],
  ["one profile of version 2", "v2", { protocol: "v2", with: ["nes"], name: "editor" }],
];

describe.each(packages)("the README of a package with %s", (name, standard, options) => {
  test("names only what the package has, and its programs compile", async () => {
    const files = await compileProfiles({ ...options, package: { name: "@me/acp" } });
    const textOf = (end: string): string => files.find(({ path }) => path.endsWith(end))!.text;
    const readme = textOf("typescript/README.md");
    const { exports } = JSON.parse(textOf("typescript/package.json")) as { exports: object };
    const subpaths = Object.keys(exports).map((subpath) => subpath.replace(/^\./, "@me/acp"));
    const named = [...readme.matchAll(/(?<![\w=.-])@me\/acp(?:\/[\w-]+)*/g)].map(([text]) => text);
    expect(named.filter((subpath) => !subpaths.includes(subpath))).toEqual([]);
    expect(readme).not.toMatch(/acp-bindings|<!-- (only|without|end)/);
    const own = options.name ?? standard;
    const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) =>
      block!
        .replaceAll(`"@me/acp/${own}`, `"acp-bindings/${standard}`)
        .replaceAll("@me/acp", "acp-bindings"),
    );
    expect(programs.length).toBeGreaterThan(standard === "v1" ? 11 : 8);
    const paths = programs.map((text, index) => {
      const path = join(folder, `${name.replaceAll(" ", "-")}-${index}.ts`);
      writeFileSync(path, text);
      return path;
    });
    const errors = findTypeErrors(paths).map(
      ({ file, messageText }) =>
        `${file?.fileName.slice(folder.length)} ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
    expect(errors).toEqual([]);
  });
});
