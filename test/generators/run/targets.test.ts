import { expect, test } from "vitest";
import { runCommand } from "../cli/run-command.js";
import { compileProfiles } from "../../../generators/run/generate/compile-profiles.js";

test("the default targets that the help lists may be named, each by its name", async () => {
  const { out } = await runCommand(["generate", "--help"]);
  const listed = /\(by\s+default ([\w,\s]+);/.exec(out)![1]!.split(/[,\s]+/);
  expect(listed).toContain("methods");
  const files = await compileProfiles({ profiles: ["v1"], targets: listed });
  expect(files).toEqual(await compileProfiles({ profiles: ["v1"] }));
});

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
