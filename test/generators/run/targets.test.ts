import { expect, test } from "vitest";
import { compileProfiles } from "../../../generators/run/generate/compile-profiles.js";

/** The targets that have files, for some names. */
async function targetsOf(targets?: readonly string[]): Promise<ReadonlySet<string>> {
  const files = await compileProfiles({ profiles: ["v1"], ...(targets && { targets }) });
  return new Set(files.map(({ target }) => target));
}

test("`default` stands for the targets of a run without names", async () => {
  const own = await targetsOf();
  expect(own.has("python")).toBe(false);
  expect(await targetsOf(["default"])).toEqual(own);
  expect(await targetsOf(["python", "default"])).toEqual(new Set([...own, "python"]));
});

test.each([[["package"]], [["package", "types"]], [["package", "types", "schemas"]]])(
  "the README of a package with %j names only what the package has",
  async (targets) => {
    const files = await compileProfiles({
      profiles: ["v1"],
      targets,
      package: { name: "@me/acp" },
    });
    const text = (name: string): string =>
      files.find(({ path }) => path === `typescript/${name}`)!.text;
    const { exports } = JSON.parse(text("package.json")) as { readonly exports: object };
    const readme = text("README.md");
    const named = [...readme.matchAll(/@me\/acp([\w/-]*)/g)].map(([, path]) => `.${path}`);
    expect(named).toContain("./v1");
    expect(named.filter((path) => !Object.hasOwn(exports, path))).toEqual([]);
    expect(readme).not.toMatch(/```|schemas\.|createAgent/);
  },
);
