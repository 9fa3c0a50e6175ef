import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";

/** The part of a package's entry in the lock file that is read here. */
interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
}

const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
  readonly packages: { readonly [folder: string]: Locked };
};
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const OURS = ["", "out/typescript"];
const foreign = Object.entries(packages).filter(
  ([folder, { link }]) => !OURS.includes(folder) && link !== true,
);

// npm refuses young versions (`min-release-age`) and versions without a signature (`npm audit signatures`), but
// installs whatever a lock file names.
describe("the lock file", () => {
  test("takes every package from the registry, as one version with a sha512 digest", () => {
    expect(foreign.length).toBeGreaterThan(200);
    for (const [folder, { version = "", resolved, integrity = "", inBundle }] of foreign) {
      expect(version, folder).toMatch(EXACT);
      if (inBundle === true) continue;
      expect(integrity, folder).toMatch(/^sha512-/);
      // Without an address of its own, npm takes a package from the registry.
      if (resolved !== undefined) expect(resolved, folder).toMatch(/^https:\/\/registry\.npmjs\./);
    }
  });

  test("names one version of each package that we depend on", () => {
    for (const folder of OURS) {
      const { dependencies, devDependencies } = packages[folder]!;
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
        expect(version, name).toMatch(EXACT);
    }
  });

  test("has the optional packages of all platforms (npm/cli issue 4828)", () => {
    for (const [folder, { optionalDependencies = {} }] of foreign)
      for (const name of Object.keys(optionalDependencies)) {
        const candidates = [`${folder}/node_modules/${name}`, `node_modules/${name}`];
        expect(
          candidates.some((path) => Object.hasOwn(packages, path)),
          `${name} of ${folder}`,
        ).toBe(true);
      }
  });

  test("has one install script, that of esbuild, which an optional package makes unnecessary", () => {
    const scripted = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript);
    expect(scripted).toEqual(["node_modules/esbuild"]);
    const { optionalDependencies } = packages["node_modules/esbuild"]!;
    expect(Object.keys(optionalDependencies!)).toContain("@esbuild/linux-x64");
  });
});
