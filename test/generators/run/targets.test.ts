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
