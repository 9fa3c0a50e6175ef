import { expect, test } from "vitest";
import type { GenerateOptions } from "../../../generators/run/options.js";
import { siteOutputs } from "../../../generators/run/site-outputs.js";
import { TARGETS } from "../../../generators/targets.js";

const own = { package: { name: "@acme/acp" } };
const site = { site: {} };

/** The targets that make code of a site's pages. */
const WITH_CODE = TARGETS.filter(({ siteCode }) => siteCode !== undefined).map(({ name }) => name);

test.each<readonly [outputs: readonly GenerateOptions[], targets: readonly string[]]>([
  [[{}], ["types"]],
  [[{ targets: ["roles"] }], ["types"]],
  [[{ targets: ["python"], ...own }], ["python"]],
  [[{ targets: ["default", "go", "docs"], ...own }], ["types", "go"]],
  [[{ targets: ["schema"] }], []],
  [[{ targets: ["./own.mjs", "go"], ...own }], ["go"]],
  [[{ targets: ["docs"], ...own }], ["types"]],
  [[{ targets: ["docs"], ...own, python: {} }], ["types", "python"]],
  [
    [
      { targets: ["python"], ...own },
      { targets: ["docs"], ...own },
    ],
    ["python"],
  ],
  [[{ targets: ["python"] }, { targets: ["go"], ...site }], ["go"]],
])("a site of the outputs %j is about %j", async (given, targets) => {
  const { outputs } = await siteOutputs({ outputs: given, file: "acp-codegen.config.json" });
  const [{ documented = [] }] = outputs as readonly [GenerateOptions];
  expect(documented.filter((name) => WITH_CODE.includes(name))).toEqual(targets);
});

test("a site that flags select is about every language, unless its package has another name", async () => {
  expect((await siteOutputs({ outputs: [{}] })).outputs[0]).not.toHaveProperty("documented");
  const named = (await siteOutputs({ outputs: [own] })).outputs[0]!;
  expect(named.documented).toContain("types");
  expect(named.documented).not.toContain("python");
});
